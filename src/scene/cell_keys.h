/* cell_keys.h: the keys of a periodic cell (src/world/cell.h); rows of the table in keys.c, which
 * includes them in their place. */
/* clang-format off */
{"cell", PLU_KEY_GROUP, PLU_OPTIONAL, SECTION(cell), AT(plu_cell_spec, given), .given = 1,
 .help = "Periodic cell: a sphere that leaves the cell through one side comes back through the "
         "opposite side, and spheres touch across the sides. Boundaries must be the same on both "
         "sides, as a horizontal floor is."},
{"cell.size", OPTIONAL(REAL), AT(plu_cell_spec, size), .count = 3, POSITIVE, .unit = "m",
 .where_offset = offsetof(plu_cell_spec, size_where),
 .help = "Edge lengths of the cell along x, y and z; at least two diameters of the largest sphere "
         "in each periodic direction. May be left out if bodies come from a run with a cell (bodies.run): "
         "then origin, tilt and periodic directions are those of that cell, too."},
{"cell.origin", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_cell_spec, origin), VECTOR, .unit = "m",
 .help = "Corner of the cell with the smallest coordinates."},
{"cell.tilt", OPTIONAL(REAL), AT(plu_cell_spec, tilt), ANY, .unit = "m",
 .help = "Shift of the upper side of the cell along x against the lower one at the start, as shear leaves it; at "
         "most half of the edge along x. By default 0."},
{"cell.periodic", DEFAULT(FLAGS, "[\"x\", \"y\", \"z\"]"), AT(plu_cell_spec, periodic),
 .choices = directions,
 .where_offset = offsetof(plu_cell_spec, periodic_where),
 .help = "Directions in which the cell is periodic; space is open along the others."},
{"cell.shear_rate", DEFAULT(REAL, "0.0"), AT(plu_cell_spec, shear_rate), ANY, .unit = "1/s",
 .where_offset = offsetof(plu_cell_spec, shear_where),
 .help = "Shear rate (Lees and Edwards): the images above the cell move along x at this rate times "
         "the height of the cell. Initial velocities are added to those of the shear flow. The "
         "cell must be periodic along x and z, without boundaries."},
{"cell.strain_rate", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_cell_spec, strain_rate), VECTOR, .unit = "1/s",
 .where_offset = offsetof(plu_cell_spec, strain_where),
 .help = "Growth rate of each edge, divided by its length. The cell must have no boundaries. Rigid grains "
         "jam where rates alone press them together, and lock where they would have to dilate: let a "
         "stress move one edge then."},
{"cell.stress", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_cell_spec, stress), .count = 3, NOT_NEGATIVE, .unit = "Pa",
 .where_offset = offsetof(plu_cell_spec, stress_where),
 .help = "Normal stresses, pressure positive: each edge moves until the contacts carry its stress. 0: this edge moves at "
         "`strain_rate` alone. The cell must have no boundaries."},
{"cell.mass", OPTIONAL(REAL), AT(plu_cell_spec, mass), POSITIVE, .unit = "kg",
 .help = "Mass of an edge that a stress moves: it determines how fast the edge follows, but not the stress at rest. By "
         "default the mass of all spheres."},
