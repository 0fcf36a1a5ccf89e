%% A tree of tasks, ten below each, with n leaves; each sums up what those below it give.
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
    spawn(fun() -> skynet(Me, 0, N) end),
    receive S -> done(T0, S) end.

skynet(Out, Num, 1) -> Out ! Num;
skynet(Out, Num, Size) ->
    Me = self(),
    Sub = Size div 10,
    [spawn(fun() -> skynet(Me, Num + I * Sub, Sub) end) || I <- lists:seq(0, 9)],
    Out ! sum(10, 0).

sum(0, S) -> S;
sum(K, S) -> receive V -> sum(K - 1, S + V) end.
