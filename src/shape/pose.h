/* pose.h: where a boundary that moves is, and how it moves.
 *
 * Surfaces are asked in the frame in which the scene has them: a point x of the world is asked for
 * as center + R^T (x - center - shift), R being the rotation by `angle` about `axis`. The center is
 * carried along by the shift. */
#ifndef SHAPE_POSE_H
#define SHAPE_POSE_H

#include <stdbool.h>

typedef struct plu_placing {
    double shift[3];   /* m */
    double angle;      /* rad */
    double turn[3][3]; /* R, of the angle */
} plu_placing;

/* The velocities of a boundary: [0] at the end of the last step, [1] at that of the coming step,
 * [PLU_MEAN] that by which it moves in the coming step. */
enum { PLU_MEAN = 2, PLU_RATES };

typedef struct plu_pose {
    double center[3], axis[3]; /* m; unit vector */
    plu_placing now, before;   /* now, and at the start of the step that ended last */
    /* Of the center (m/s), about the axis (rad/s), of the surface alone (m/s) */
    double velocity[PLU_RATES][3], spin[PLU_RATES], belt[PLU_RATES][3];
    bool turns; /* it may turn: else R is that of an angle of 0 */
    bool moves; /* one of these velocities is not 0 */
    bool gone;  /* taken away */
    int servo;  /* 1 + the number of its servo (world/servo.h); 0: it has none */
} plu_pose;

/* Sets `turn` of a placing from its angle. */
void plu_placing_turn(plu_placing *placing, const double axis[3]);

/* A point of the world in the frame of the scene. */
void plu_pose_inward(const plu_pose *pose, const plu_placing *placing, const double x[3],
                     double inside[3]);
/* A direction of that frame in the world. */
void plu_pose_outward(const plu_pose *pose, const plu_placing *placing, const double inside[3],
                      double direction[3]);

/* From the center, where it is now, to a point of the world. */
void plu_pose_arm(const plu_pose *pose, const double x[3], double arm[3]);

/* The velocity of the point that is `arm` from the center (m/s), which of them as in plu_pose;
 * `normal` is that of the surface there. */
void plu_pose_velocity(const plu_pose *pose, int which, const double arm[3], const double normal[3],
                       double velocity[3]);

/* Where it is at a share of the coming step, whose length is `step` (s). */
void plu_pose_ahead(const plu_pose *pose, double step, double theta, double share,
                    plu_placing *placing);

/* A bound of the speed (m/s) of what belongs to it and is met within `reach` (m) of a point. */
double plu_pose_speed(const plu_pose *pose, const double point[3], double reach);

/* The largest rate of rotation of a pose in the coming step (rad/s). */
double plu_pose_turn(const plu_pose *pose);

#endif
