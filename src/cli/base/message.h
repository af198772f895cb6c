/* message.h: what the command says on stderr; every line begins with "pluvia: ". */
#ifndef CLI_BASE_MESSAGE_H
#define CLI_BASE_MESSAGE_H

#include "pluvia/status.h"

void plu_message(const char *format, ...) PLU_PRINTF(1, 2);

/* Each message of `err` on its own line. */
void plu_message_error(const plu_error *err);

#endif
