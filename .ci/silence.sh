# shellcheck shell=bash
# Sourced by `.ci/run`: ends a command that has fallen silent, and says what it was at. A test that waits for ever would
# otherwise hold the run until somebody else ends it, and nobody would know which test it was.

# ended_when_silent SECONDS LOG REPORT COMMAND…
# Runs the command, whose output goes to the log. When the log has not grown for so long, writes to the report which tests
# had begun and not ended, what ran, and where its threads stood; then ends the command, which fails.
ended_when_silent() (
    patience=$1 log=$2 report=$3 owner=$BASHPID status=0
    shift 3
    rm -f "$report"
    watch_silence "$patience" "$log" "$report" "$owner" >/dev/null 2>&1 &
    watcher=$!
    "$@" || status=$?
    # Where it has a report to write, it ends by itself.
    [ -e "$report" ] || kill "$watcher" 2>/dev/null
    wait "$watcher" 2>/dev/null || true
    if [ -e "$report" ] && [ "$status" = 0 ]; then status=1; fi
    exit "$status"
)

# watch_silence SECONDS LOG REPORT OWNER: watches for as long as the owner's process lives, or until the log falls silent.
watch_silence() {
    local patience=$1 log=$2 report=$3 owner=$4 watcher=$BASHPID size=-1 since=$SECONDS
    while sleep 1 && kill -0 "$owner" 2>/dev/null; do
        local now
        now=$(wc -c <"$log")
        if [ "$now" != "$size" ]; then
            size=$now since=$SECONDS
        elif [ $((SECONDS - since)) -ge "$patience" ]; then
            local -a processes
            mapfile -t processes < <(descendants "$owner" "$watcher")
            report_silence "$patience" "$log" "${processes[@]}" >"$report"
            end_processes "${processes[@]}"
            return
        fi
    done
}

# report_silence SECONDS LOG PROCESS…
report_silence() {
    local patience=$1 log=$2
    shift 2
    echo "Nothing was said for $patience s, and the command was ended."
    echo "Tests that had begun and not ended, but for the last lines, which may not be in the log (at most 40):"
    unfinished_tests "$log" | head -n 40
    echo "What ran, the threads of each, and what each waits for in the system (at most 200):"
    local process
    for process; do ps -L -ww -o pid=,ppid=,lwp=,stat=,wchan:24=,comm=,args= -p "$process" | cut -c 1-240; done | head -n 200
}

# unfinished_tests LOG: prints the names of tests that began more often than they ended.
unfinished_tests() {
    awk '
        match($0, /^[^[:alnum:]]*Test .* started\.$/) {
            name = $0; sub(/^[^[:alnum:]]*Test /, "", name); sub(/ started\.$/, "", name)
            if (name !~ /^(run|case) /) count[name]++
        }
        match($0, /^[^[:alnum:]]*Test .* (passed|failed) after /) {
            name = $0; sub(/^[^[:alnum:]]*Test /, "", name); sub(/ (passed|failed) after .*$/, "", name)
            sub(/ with [0-9]+ test cases?$/, "", name); count[name]--
        }
        END { for (name in count) if (count[name] > 0) print "  " name }
    ' "$1" | sort
}

# descendants PROCESS EXCEPT: prints the numbers of the process's children and of theirs, without the one and its children.
descendants() {
    ps -e -o pid= -o ppid= | awk -v process="$1" -v except="$2" '
        { parent[$1] = $2 }
        function isBelow(number) {
            if (number == except || !(number in parent)) return 0
            return parent[number] == process || isBelow(parent[number])
        }
        END { for (number in parent) if (isBelow(number)) print number }
    ' | sort -n
}

# end_processes PROCESS…: asks a process of tests where its threads stand, which Swift answers into the log; then ends all.
end_processes() {
    local process
    for process; do
        case $(ps -o args= -p "$process") in
        *swiftpm-testing-helper* | *PackageTests.xctest*) kill -QUIT "$process" && wait_for_end 60 "$process" ;;
        esac
    done
    kill "$@"
    wait_for_end 10 "$@" || kill -KILL "$@"
}

# wait_for_end SECONDS PROCESS…: fails if one of them still lives after that time.
wait_for_end() {
    local left=$1
    shift
    while kill -0 "$@" 2>/dev/null; do
        if [ $((left--)) = 0 ]; then return 1; fi
        sleep 1
    done
}
