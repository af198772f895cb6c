/* The public functions of pictures in a build without them (-Drender=disabled): they fail with one
 * sentence, so that programs and scenes need not know how the library was built. */
#include "pluvia/scene.h"
#include "pluvia/tool/render.h"

static plu_status absent(plu_error *err)
{
    return plu_fail(err, PLU_USAGE,
                    "this build has no pictures; to draw them, configure it with -Drender=enabled "
                    "(needs libpng)");
}

plu_render_options plu_render_defaults(void)
{
    return (plu_render_options){.width = 1200, .height = 900, .zoom = 1.0};
}

plu_status plu_render_create(plu_render **render, plu_frames *frames, const plu_scene *scene,
                             const plu_render_options *options, plu_error *err)
{
    (void)frames, (void)scene, (void)options;
    *render = NULL;
    return absent(err);
}

void plu_render_destroy(plu_render *render)
{
    (void)render;
}

plu_status plu_render_frame(plu_render *render, long k, plu_picture *picture, plu_error *err)
{
    (void)render, (void)k;
    *picture = (plu_picture){0};
    return absent(err);
}

int plu_render_at_once(const plu_render *render)
{
    (void)render;
    return 1;
}

plu_status plu_render_frames(plu_render *render, long first, long count, plu_picture *picture,
                             plu_error *err)
{
    (void)render, (void)first;
    for (long i = 0; i < count; i++)
        picture[i] = (plu_picture){0};
    return absent(err);
}

plu_status plu_picture_write(const plu_picture *picture, const char *path, plu_error *err)
{
    (void)picture, (void)path;
    return absent(err);
}

void plu_picture_free(plu_picture *picture)
{
    *picture = (plu_picture){0};
}
