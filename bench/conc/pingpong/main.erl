%% Hand-over: n round trips between two tasks over unbuffered channels.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    P = spawn(fun echo/0),
    S = loop(N, 0, P, 0),
    P ! stop,
    done(T0, S).

echo() ->
    receive
        {From, V} -> From ! V + 1, echo();
        stop -> ok
    end.

loop(N, N, _, S) -> S;
loop(N, I, P, S) ->
    P ! {self(), I},
    receive V -> loop(N, I + 1, P, S + V) end.
