/* A picture as a file. */
#include "pluvia/tool/render.h"
#include <png.h>
#include <stdlib.h>

plu_status plu_picture_write(const plu_picture *picture, const char *path, plu_error *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB};
    if (!png_image_write_to_file(&image, path, 0, picture->rgb, 0, NULL))
        return plu_fail(err, PLU_IO, "cannot write %s: %s", path, image.message);
    return PLU_OK;
}

void plu_picture_free(plu_picture *picture)
{
    free(picture->rgb);
    *picture = (plu_picture){0};
}
