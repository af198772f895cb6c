/* Between the pool and a worker: orders go to it, each a case with its lock, and a byte comes back
 * for each. */
#include "cli/campaign/sweep.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Room for a message that carries a descriptor. */
typedef union parcel {
    struct cmsghdr head; /* for the alignment */
    char room[CMSG_SPACE(sizeof(int))];
} parcel;

bool plu_sweep_open_post(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
}

bool plu_sweep_send_order(int post, const plu_sweep_order *order, int lock)
{
    parcel p = {0};
    struct iovec data = {(void *)order, sizeof *order};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = p.room, .msg_controllen = sizeof p.room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof lock);
    memcpy(CMSG_DATA(head), &lock, sizeof lock);
    ssize_t sent;
    do
        sent = sendmsg(post, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *order;
}

bool plu_sweep_receive_order(int post, plu_sweep_order *order, int *lock)
{
    parcel p = {0};
    struct iovec data = {order, sizeof *order};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = p.room, .msg_controllen = sizeof p.room};
    ssize_t got;
    do
        got = recvmsg(post, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (got != (ssize_t)sizeof *order || !head || head->cmsg_type != SCM_RIGHTS)
        return false;
    memcpy(lock, CMSG_DATA(head), sizeof *lock);
    return true;
}

bool plu_sweep_send_report(int post, unsigned char report)
{
    return send(post, &report, 1, MSG_NOSIGNAL) == 1;
}

bool plu_sweep_receive_report(int post, unsigned char *report)
{
    ssize_t got;
    do
        got = recv(post, report, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
}
