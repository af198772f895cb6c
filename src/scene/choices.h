/* choices.h: the words that keys take which allow a few only; for the table of keys
 * (keys.c), with the structs that it fills. */
#ifndef SCENE_CHOICES_H
#define SCENE_CHOICES_H

#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "pluvia/sensor.h"
#include "pluvia/solving.h"
#include "pluvia/stage.h"
#include "pluvia/writing.h"
#include "scene/keys.h"
#include <stddef.h>

static const plu_choice stabilizations[] = {
    {"none", PLU_NONE}, {"projection", PLU_PROJECTION}, {NULL, 0}};
static const plu_choice methods[] = {
    {"nonsmooth", PLU_NONSMOOTH}, {"penalty", PLU_PENALTY}, {NULL, 0}};
static const plu_choice friction_laws[] = {
    {"coulomb", PLU_COULOMB}, {"associated", PLU_ASSOCIATED}, {NULL, 0}};
static const plu_choice steps[] = {{"auto", PLU_AUTO_STEP}, {NULL, 0}};
static const plu_choice forecasts[] = {{"touch", PLU_TOUCH}, {NULL, 0}};
static const plu_choice ends[] = {{"end", PLU_AT_END}, {NULL, 0}};
static const plu_choice kept[] = {{"velocity", PLU_KEEP_VELOCITY},
                                  {"spin", PLU_KEEP_SPIN},
                                  {"impulses", PLU_KEEP_IMPULSES},
                                  {"material", PLU_KEEP_MATERIAL},
                                  {"cell", PLU_KEEP_CELL},
                                  {"boundaries", PLU_KEEP_BOUNDARIES},
                                  {NULL, 0}};
static const plu_choice restitutions[] = {
    {"newton", PLU_NEWTON}, {"energy", PLU_ENERGY}, {NULL, 0}};
static const plu_choice distributions[] = {{"uniform", PLU_UNIFORM},
                                           {"power", PLU_POWER},
                                           {"normal", PLU_NORMAL},
                                           {"lognormal", PLU_LOGNORMAL},
                                           {NULL, 0}};
static const plu_choice shares[] = {{"number", PLU_BY_NUMBER}, {"mass", PLU_BY_MASS}, {NULL, 0}};
static const plu_choice outsides[] = {{"remove", PLU_REMOVE}, {"keep", PLU_KEEP}, {NULL, 0}};
static const plu_choice directions[] = {
    {"x", PLU_ALONG_X}, {"y", PLU_ALONG_Y}, {"z", PLU_ALONG_Z}, {NULL, 0}};
static const plu_choice criteria[] = {{"velocity", PLU_VELOCITY},
                                      {"weight", PLU_WEIGHT},
                                      {"scaled", PLU_SCALED},
                                      {"natural-map", PLU_NATURAL_MAP},
                                      {NULL, 0}};
static const plu_choice failures[] = {{"warn", PLU_WARN}, {"stop", PLU_STOP}, {NULL, 0}};
static const plu_choice dumps[] = {{"none", PLU_DUMP_NONE},
                                   {"every", PLU_DUMP_EVERY},
                                   {"unconverged", PLU_DUMP_UNCONVERGED},
                                   {NULL, 0}};
static const plu_choice precisions[] = {{"float64", 0}, {"float32", 1}, {NULL, 0}};
static const plu_choice faces[] = {{"x-", PLU_FACE_XMIN},
                                   {"x+", PLU_FACE_XMAX},
                                   {"y-", PLU_FACE_YMIN},
                                   {"y+", PLU_FACE_YMAX},
                                   {"z-", PLU_FACE_ZMIN},
                                   {"z+", PLU_FACE_ZMAX},
                                   {NULL, 0}};
static const plu_choice quantities[] = {{"position", 0},
                                        {"velocity", PLU_OUT_VELOCITY},
                                        {"angular_velocity", PLU_OUT_ANGULAR_VELOCITY},
                                        {"orientation", PLU_OUT_ORIENTATION},
                                        {"force", PLU_OUT_FORCE},
                                        {"torque", PLU_OUT_TORQUE},
                                        {"stress", PLU_OUT_STRESS},
                                        {"dissipation", PLU_OUT_DISSIPATION},
                                        {"coordination", PLU_OUT_COORDINATION},
                                        {NULL, 0}};

#endif
