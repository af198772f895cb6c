/* cell_keys.h: the keys of a periodic cell (src/world/cell.h); rows of the table in keys.c, which
 * includes them in their place. */
/* clang-format off */
{"cell", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_scene, cell.given), .given = 1,
 .help = "Space is a periodic cell: what leaves it by one side comes back by the opposite one, and "
         "spheres touch across it. Boundaries must be the same on both sides, as a floor is."},
{"cell.size", REQUIRED(REAL), AT(plu_scene, cell.size), .count = 3, POSITIVE, .unit = "m",
 .where_offset = offsetof(plu_scene, cell.size_where),
 .help = "Edges of the cell along x, y and z; where it is periodic at least two diameters of the "
         "largest sphere."},
{"cell.origin", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_scene, cell.origin), VECTOR, .unit = "m",
 .help = "Its corner with the smallest coordinates."},
{"cell.periodic", DEFAULT(FLAGS, "[\"x\", \"y\", \"z\"]"), AT(plu_scene, cell.periodic),
 .choices = directions,
 .where_offset = offsetof(plu_scene, cell.periodic_where),
 .help = "Directions in which it is periodic; along others space is open."},
{"cell.shear_rate", DEFAULT(REAL, "0.0"), AT(plu_scene, cell.shear_rate), ANY, .unit = "1/s",
 .where_offset = offsetof(plu_scene, cell.shear_where),
 .help = "The cell is sheared (Lees and Edwards): images above move along x by this times its "
         "height z. Velocities at the start are added to those of the shear. Needs a cell that is "
         "periodic along x and z, and no boundaries."},
{"cell.strain_rate", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_scene, cell.strain_rate), VECTOR, .unit = "1/s",
 .where_offset = offsetof(plu_scene, cell.strain_where),
 .help = "Rates at which the edges grow, over their length. Needs a cell without boundaries."},
