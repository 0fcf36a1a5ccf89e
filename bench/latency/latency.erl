%% ../latency.rnl in Erlang: run as erl +S 2:2 -noshell -s latency main KIND BUSY TIMES PATH
-module(latency).
-export([main/1]).

main([Kind, Busy, Times | Rest]) ->
    N = list_to_integer(Times),
    [spawn(fun() -> compute(1) end) || _ <- lists:seq(1, list_to_integer(Busy))],
    timer:sleep(20),
    All = [once(Kind, Rest) || _ <- lists:seq(1, N)],
    io:put_chars([[integer_to_list(X), "\n"] || X <- All]),
    halt(0).

compute(0) -> ok;
compute(X) -> compute((X * 3 + 1) band 16#ffffff bor 1).

now_ns() -> erlang:monotonic_time(nanosecond).

once("sleep", _) ->
    Begun = now_ns(),
    receive after 1 -> ok end,
    now_ns() - Begun - 1000000;
once("read", [Path]) ->
    Begun = now_ns(),
    {ok, _} = file:read_file(Path),
    now_ns() - Begun;
once("wake", _) ->
    Self = self(),
    Echo = case get(echo) of
        undefined -> P = spawn(fun() -> echo(Self) end), put(echo, P), P;
        P -> P
    end,
    Echo ! now_ns(),
    receive X -> X end.

echo(To) ->
    receive Sent -> To ! now_ns() - Sent end,
    echo(To).
