%% A buffer of 1024 between a producer of n items and a consumer.
-module(main).
-export([start/1]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

%% The mailbox is unbounded; a credit of 1024, returned 512 at a time, stands in for the capacity.
start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    Me = self(),
    P = spawn(fun() -> produce(Me, 0, N, 1024) end),
    done(T0, consume(P, N, 0, 0)).

produce(_, N, N, _) -> ok;
produce(C, I, N, 0) -> receive more -> produce(C, I, N, 512) end;
produce(C, I, N, K) -> C ! I, produce(C, I + 1, N, K - 1).

consume(_, 0, _, S) -> S;
consume(P, N, 511, S) -> receive V -> P ! more, consume(P, N - 1, 0, S + V) end;
consume(P, N, K, S) -> receive V -> consume(P, N - 1, K + 1, S + V) end.
