/* law.h: the friction law, written once for every kind of number.
 *
 *   K_r = { p = (r_N, r_T, m_R) : |r_T| <= slope(mu) r_N , |m_R| <= slope(mu_r) r_N }     AB21 (20)
 *
 * and, where a pair has pivoting friction, |m_P| <= slope(mu_p) r_N for the moment m_P about the
 * normal: a third disk, of one dimension. Slip, rolling and pivoting have a limit each, independent
 * of each other; in a real patch a contact that pivots slips easily (Contensou 1963; Leine &
 * Glocker 2003).
 *
 * A coefficient of friction enters as slope_of(coefficient) and in no other way: solvers, residuals
 * and pictures get it from here, through plu_slot_slope (blocks of a step) and plu_contact_slope
 * (general problems).
 *
 * Included once for each kind of number: friction_cone.h does so for doubles, blocks/block_lanes.h
 * for lanes. The file that includes it defines
 *
 *   - LAW_NUMBER: the kind of number,
 *   - LAW(name): what a function of the law is called,
 *   - LAW_ALL(x): the number x,
 *   - LAW_LARGER(a, b): the larger one,
 *   - LAW_CHOOSE(m, a, b): a where the comparison m is true, else b,
 *   - LAW_ROOT(x): the square root. */

/* Tests compile solvers and residuals with another law, by which code that has its own copy of the
 * law is found. */
#if !defined(PLU_LAW_TIMES)
#define PLU_LAW_TIMES 1.0
#endif

static inline LAW_NUMBER LAW(slope_of)(LAW_NUMBER mu)
{
    return LAW_ALL(PLU_LAW_TIMES) * mu;
}

/* What one disk adds to y_N in y^_N, if the contact slips (rolls, pivots) at `speed`: the support
 * function of the disk, AB21 (32). */
static inline LAW_NUMBER LAW(lift)(LAW_NUMBER slope, LAW_NUMBER speed)
{
    return slope * speed;
}

/* Factor that brings a vector of length `length` into the disk of radius `radius`. */
static inline LAW_NUMBER LAW(disk_factor)(LAW_NUMBER length, LAW_NUMBER radius)
{
    return LAW_CHOOSE(length > radius, radius / LAW_CHOOSE(length > radius, length, LAW_ALL(1.0)),
                      LAW_ALL(1.0));
}

/* The projection of x on the interval from -radius to radius, which is the disk of pivoting. */
static inline LAW_NUMBER LAW(into_interval)(LAW_NUMBER x, LAW_NUMBER radius)
{
    return LAW_CHOOSE(x > radius, radius, LAW_CHOOSE(x < -radius, -radius, x));
}

/* disk_factor from the square of the length, which needs no root inside the disk. */
static inline LAW_NUMBER LAW(disk_factor_by_square)(LAW_NUMBER square, LAW_NUMBER radius)
{
    return LAW_CHOOSE(square > radius * radius,
                      radius / LAW_ROOT(LAW_CHOOSE(square > radius * radius, square, LAW_ALL(1.0))),
                      LAW_ALL(1.0));
}

/* r_N of the projection on K_r of a point with normal component n, |r_T| = t and |m_R| = s.
 *
 * AB21 Prop. 5.2 lists five cases whose tests leave gaps on the borders between them, in floating
 * point also when written with <=. The projection is the minimum over n' >= 0 of
 *   1/2 (n'-n)^2 + 1/2 (t - a n')+^2 + 1/2 (s - b n')+^2 ,   a, b the slopes,
 * whose derivative is the smallest of four increasing affine functions: its root is the largest of
 * their four roots. No case to choose, valid for a = 0, b = 0 and zero vectors. */
static inline LAW_NUMBER LAW(cone_normal)(LAW_NUMBER n, LAW_NUMBER t, LAW_NUMBER s, LAW_NUMBER a,
                                          LAW_NUMBER b)
{
    const LAW_NUMBER one = LAW_ALL(1.0);
    const LAW_NUMBER slide = (n + a * t) / (one + a * a);
    const LAW_NUMBER roll = (n + b * s) / (one + b * b);
    const LAW_NUMBER both = (n + a * t + b * s) / (one + a * a + b * b);
    return LAW_LARGER(LAW_LARGER(LAW_ALL(0.0), n), LAW_LARGER(LAW_LARGER(slide, roll), both));
}

/* The same with pivoting friction of slope c, |m_P| = w: the largest of eight roots. */
static inline LAW_NUMBER LAW(cone_normal_pivoting)(LAW_NUMBER n, LAW_NUMBER t, LAW_NUMBER s,
                                                   LAW_NUMBER w, LAW_NUMBER a, LAW_NUMBER b,
                                                   LAW_NUMBER c)
{
    const LAW_NUMBER from = n + c * w, size = LAW_ALL(1.0) + c * c;
    const LAW_NUMBER slid = a * t, rolled = b * s;
    const LAW_NUMBER pivot = from / size;
    const LAW_NUMBER slide = (from + slid) / (size + a * a);
    const LAW_NUMBER roll = (from + rolled) / (size + b * b);
    const LAW_NUMBER all = (from + (slid + rolled)) / (size + (a * a + b * b));
    return LAW_LARGER(LAW(cone_normal)(n, t, s, a, b),
                      LAW_LARGER(LAW_LARGER(pivot, slide), LAW_LARGER(roll, all)));
}

#undef LAW_NUMBER
#undef LAW
#undef LAW_ALL
#undef LAW_LARGER
#undef LAW_CHOOSE
#undef LAW_ROOT
