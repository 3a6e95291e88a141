#!/bin/sh
# recordLttng.sh -- runs a program within a session of LTTng-UST that takes the events of tactus_bench, where lttng is
# installed; else as it is.
#
#      recordLttng.sh PROGRAM ?ARGUMENT ...?
set -eu
command -v lttng >/dev/null && command -v lttng-sessiond >/dev/null || exec "$@"
folder=$(mktemp -d)
export LTTNG_HOME="$folder" LTTNG_UST_REGISTER_TIMEOUT=3000
daemon=
if ! lttng --no-sessiond list >/dev/null 2>&1; then
    lttng-sessiond --daemonize --no-kernel --pidfile="$folder/pid" >/dev/null 2>&1 || exec "$@"
    daemon=$(cat "$folder/pid")
fi
finish() {
    lttng destroy tactus_bench >/dev/null 2>&1 || true
    if [ -n "$daemon" ]; then kill "$daemon" || true; fi
    rm -rf "$folder"
}
trap finish EXIT
lttng create tactus_bench --output="$folder/trace" >/dev/null
lttng enable-channel --userspace --overwrite --subbuf-size=4M --num-subbuf=4 bench >/dev/null
lttng enable-event --userspace --channel=bench 'tactus_bench:*' >/dev/null
lttng start >/dev/null
"$@"
