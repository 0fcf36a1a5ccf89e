%% Spawn and await: n tasks, one after the other, each gives its number.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    done(T0, loop(N, 0, 0)).

loop(N, N, S) -> S;
loop(N, I, S) ->
    Me = self(),
    Pid = spawn(fun() -> Me ! {self(), I} end),
    receive {Pid, V} -> loop(N, I + 1, S + V) end.
