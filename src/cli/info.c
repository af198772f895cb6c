/* pluvia info: what a trajectory holds. */
#include "commands.h"
#include "json.h"
#include "message.h"
#include "pluvia/trajectory.h"
#include "text.h"
#include <inttypes.h>
#include <stdlib.h>

enum { JSON, SCENE, RESOLVED };

static const plu_option options[] = {
    [JSON] = {0, "json", NULL, NULL, "one JSON object"},
    [SCENE] = {0, "scene", NULL, NULL, "the scene as it was read"},
    [RESOLVED] = {0, "resolved", NULL, NULL, "the scene with every default filled in"},
};

static void print_text(const plu_trajectory_info *info, const char *path)
{
    char bytes[32];
    plu_text_bytes((double)info->bytes, bytes, sizeof bytes);
    printf("%s: %s\n", path, info->title);
    printf("state         %s\n", info->state);
    printf("frames        %ld, from %g s to %g s; time step %g s\n", info->frames, info->start,
           info->end, info->step);
    printf("bodies        %d; at the end %d active, %d waiting, %d removed\n", info->bodies,
           info->active, info->waiting, info->removed);
    printf("per body      ");
    for (int i = 0; i < info->quantities_count; i++)
        printf("%s%s", i ? ", " : "", info->quantities[i]);
    if (info->contacts >= 0)
        printf("\ncontacts      %ld rows", info->contacts);
    printf("\nmade by       pluvia %s, file schema %d, seed %" PRIu64 ", %d thread%s\n",
           info->version, info->schema, info->seed, info->threads, info->threads == 1 ? "" : "s");
    printf("command       %s\n", info->command);
    printf("size          %s\n", bytes);
    printf("\nobservable, last value\n");
    for (int i = 0; i < info->observables_count; i++)
        printf("  %-26s %.6g\n", info->observables[i], info->last[i]);
}

static void json_lists(const plu_trajectory_info *info)
{
    plu_json_key("quantities", false);
    printf("[");
    for (int i = 0; i < info->quantities_count; i++) {
        printf("%s", i ? ", " : "");
        plu_json_string(info->quantities[i]);
    }
    printf("]");
    plu_json_key("last", false);
    printf("{");
    for (int i = 0; i < info->observables_count; i++)
        plu_json_real(info->observables[i], info->last[i], i == 0);
    printf("}");
}

static void print_json(const plu_trajectory_info *info, const char *path)
{
    printf("{");
    plu_json_key("path", true);
    plu_json_string(path);
    plu_json_text("title", info->title);
    plu_json_text("state", info->state);
    plu_json_text("version", info->version);
    plu_json_text("command", info->command);
    plu_json_integer("schema", info->schema);
    plu_json_integer("frames", info->frames);
    plu_json_integer("bodies", info->bodies);
    plu_json_integer("active", info->active);
    plu_json_integer("waiting", info->waiting);
    plu_json_integer("removed", info->removed);
    plu_json_integer("threads", info->threads);
    plu_json_integer("bytes", info->bytes);
    plu_json_key("seed", false);
    printf("%" PRIu64, info->seed);
    if (info->contacts >= 0)
        plu_json_integer("contacts", info->contacts);
    plu_json_real("start", info->start, false);
    plu_json_real("end", info->end, false);
    plu_json_real("step", info->step, false);
    json_lists(info);
    printf("}\n");
}

static plu_status print_scene(const char *path, bool resolved, plu_error *err)
{
    char *text = NULL;
    const plu_status status = plu_trajectory_scene(&text, resolved, path, err);
    if (status == PLU_OK)
        fputs(text, stdout);
    free(text);
    return status;
}

static int run(const plu_arguments *arguments)
{
    const char *path = arguments->operands[0];
    const bool resolved = plu_argument_given(arguments, RESOLVED);
    plu_error err = {0};
    plu_trajectory_info info;
    plu_status status;
    if (resolved || plu_argument_given(arguments, SCENE)) {
        status = print_scene(path, resolved, &err);
    } else {
        status = plu_trajectory_info_read(&info, path, &err);
        if (status == PLU_OK && plu_argument_given(arguments, JSON))
            print_json(&info, path);
        else if (status == PLU_OK)
            print_text(&info, path);
    }
    if (status != PLU_OK)
        plu_message_error(&err);
    return (int)status;
}

const plu_command plu_command_info = {
    .name = "info",
    .operands = "FILE.h5md",
    .least = 1,
    .most = 1,
    .summary = "say what a trajectory holds",
    .examples = "pluvia info output/first.h5md\n"
                "pluvia info output/first.h5md --json\n"
                "pluvia info output/first.h5md --scene > again.cfg",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = run,
};
