%% A gen_server that is called n times, one call after the other.
-module(main).
-behaviour(gen_server).
-export([start/1, init/1, handle_call/3, handle_cast/2]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

init(Count) -> {ok, Count}.
handle_call({add, K}, _, Count) -> {reply, Count + K, Count + K}.
handle_cast(_, Count) -> {noreply, Count}.

start([A]) ->
    N = list_to_integer(A),
    T0 = now_s(),
    {ok, P} = gen_server:start_link(?MODULE, 0, []),
    done(T0, ask(P, N, 0)).

ask(_, 0, Last) -> Last;
ask(P, N, _) -> ask(P, N - 1, gen_server:call(P, {add, 1}, infinity)).
