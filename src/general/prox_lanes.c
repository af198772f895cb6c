/* Products with G by lanes (compiled for each instruction set, base/cpu.h). */
#include "base/lanes.h"
#include "general/prox_system.h"

#define SPECIALISED static inline __attribute__((always_inline))

enum { PARTS = 8 / WIDTH };

/* kg = K g of one end, row by row */
SPECIALISED void slope_times(int rows, const plu_prox_slope *k, double (*g)[8],
                             lanes kg[PLU_ROWS_MAX][PARTS])
{
    for (int v = 0; v < PARTS; v++) {
        const lanes normal = load(g[0] + v * WIDTH);
        kg[0][v] = k->normal * normal;
        for (int i = 1; i < rows; i += 2) {
            const double *column = k->column[i / 2], *block = k->block[i / 2];
            const lanes x = load(g[i] + v * WIDTH), z = load(g[i + 1] + v * WIDTH);
            kg[i][v] = column[0] * normal + (block[0] * x + block[1] * z);
            kg[i + 1][v] = column[1] * normal + (block[2] * x + block[3] * z);
        }
    }
}

SPECIALISED void add_contact(int rows, const plu_prox_bodies *b, int c, const plu_prox_slope *k)
{
    for (int f = 0; f < 2; f++) {
        lanes kg[PLU_ROWS_MAX][PARTS];
        if (b->pairs[c][f] < 0)
            continue;
        slope_times(rows, k, b->g[c][f], kg);
        for (int e = 0; e < 2; e++) {
            double *const block = b->place[c][e][f];
            for (int r = 0; block && r < PLU_BODY_ROWS; r++)
                for (int v = 0; v < PARTS; v++) {
                    lanes sum = load(block + 8 * r + v * WIDTH);
                    for (int j = 0; j < rows; j++)
                        sum += b->g[c][e][j][r] * kg[j][v];
                    store(block + 8 * r + v * WIDTH, sum);
                }
        }
    }
}

void PLU_ISA(plu_prox_add)(const plu_prox_bodies *b, const plu_prox_slope *slope)
{
    for (int c = 0; c < b->contacts; c++) {
        if (slope[c].normal == 0.0)
            continue;
        if (b->rows == 7)
            add_contact(7, b, c, &slope[c]);
        else if (b->rows == 5)
            add_contact(5, b, c, &slope[c]);
        else
            add_contact(3, b, c, &slope[c]);
    }
}

void PLU_ISA(plu_prox_to_bodies)(const plu_prox_bodies *b, const double *x, double *v)
{
    memset(v, 0, (size_t)b->bodies * 8 * sizeof *v);
    for (int c = 0; c < b->contacts; c++)
        for (int e = 0; e < 2; e++) {
            if (b->pairs[c][e] < 0)
                continue;
            double *const row = v + 8 * (size_t)b->pairs[c][e];
            for (int part = 0; part < PARTS; part++) {
                lanes sum = load(row + part * WIDTH);
                for (int j = 0; j < b->rows; j++)
                    sum += x[c * b->rows + j] * load(b->g[c][e][j] + part * WIDTH);
                store(row + part * WIDTH, sum);
            }
        }
}

void PLU_ISA(plu_prox_to_contacts)(const plu_prox_bodies *b, const double *v, double *y)
{
    for (int c = 0; c < b->contacts; c++) {
        parts sum[PLU_ROWS_MAX];
        memset(sum, 0, sizeof sum);
        for (int e = 0; e < 2; e++)
            for (int part = 0; b->pairs[c][e] >= 0 && part < PARTS; part++) {
                const lanes row = load(v + 8 * (size_t)b->pairs[c][e] + part * WIDTH);
                for (int j = 0; j < b->rows; j++)
                    add(&sum[j], part * WIDTH, load(b->g[c][e][j] + part * WIDTH) * row);
            }
        for (int j = 0; j < b->rows; j++)
            y[c * b->rows + j] = total(&sum[j]);
    }
}
