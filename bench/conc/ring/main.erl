%% Hand-over: n hops in all round a ring of 1000 tasks.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    First = build(999, self()),
    done(T0, laps(N div 1000, First, 0)).

build(0, Next) -> Next;
build(K, Next) -> build(K - 1, spawn(fun() -> node_loop(Next) end)).

node_loop(Next) -> receive V -> Next ! V + 1, node_loop(Next) end.

laps(0, _, V) -> V;
laps(K, First, V) ->
    First ! V,
    receive W -> laps(K - 1, First, W + 1) end.
