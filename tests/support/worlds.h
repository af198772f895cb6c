/* worlds.h: makes a world or expects that none can be made. */
#ifndef SUPPORT_WORLDS_H
#define SUPPORT_WORLDS_H

#include "near.h"
#include "scenes.h"
#include "world/world.h"

static inline plu_world *small_world(const small_scene *small)
{
    static plu_error err;
    plu_world *world;
    if (plu_world_create(&world, &small->scene, &err) != PLU_OK)
        fail_msg("%s", err.text);
    return world;
}

/* The scene is refused as bad input, and what is said contains `text`; returns what is said. */
static inline const char *small_world_refused(const small_scene *small, const char *text)
{
    static plu_error err;
    plu_world *world;
    assert_int_equal(plu_world_create(&world, &small->scene, &err), PLU_BAD_INPUT);
    assert_null(world);
    if (!strstr(err.text, text))
        fail_msg("expected \"%s\" in \"%s\"", text, err.text);
    return err.text;
}

#endif
