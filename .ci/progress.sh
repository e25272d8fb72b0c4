# shellcheck shell=bash
# Sourced by the scripts beside it: long commands that write to a log, with a sign of life for the person who waits.

# with_progress TITLE LOG COMMAND…
# Runs the command with its output in the log; says how long it has been running, every second at a terminal and every
# half minute elsewhere. Its status is the command's. The command runs in the foreground, so that Ctrl-C ends it.
with_progress() {
    local title=$1 log=$2 status=0 started=$SECONDS
    shift 2
    [ -t 1 ] || printf '%s …\n' "$title"
    tell_time "$title" "$started" $$ &
    local teller=$!
    "$@" >>"$log" 2>&1 </dev/null || status=$?
    kill "$teller" 2>/dev/null
    wait "$teller" 2>/dev/null || true
    [ ! -t 1 ] || printf '\r\033[K'
    return "$status"
}

# tell_time TITLE STARTED OWNER: tells the time that has passed, for as long as the owner's process lives.
tell_time() {
    local title=$1 started=$2 owner=$3
    while sleep 1 >/dev/null 2>&1 && kill -0 "$owner" 2>/dev/null; do
        local passed=$((SECONDS - started))
        if [ -t 1 ]; then
            printf '\r\033[K%s … %d s' "$title" "$passed"
        elif [ $((passed % 30)) = 0 ]; then
            printf '  %d s\n' "$passed"
        fi
    done
}
