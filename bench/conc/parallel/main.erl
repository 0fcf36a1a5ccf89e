%% Parallel computing: 8 tasks of fib(n).
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    Me = self(),
    [spawn(fun() -> Me ! fib(N) end) || _ <- lists:seq(1, 8)],
    done(T0, lists:sum([receive V -> V end || _ <- lists:seq(1, 8)])).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
