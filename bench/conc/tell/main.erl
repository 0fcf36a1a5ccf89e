%% A gen_server that 4 senders tell to add, n times in all. Its mailbox has no bound.
-module(main).
-behaviour(gen_server).
-export([start/1, init/1, handle_call/3, handle_cast/2]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

init(Count) -> {ok, Count}.
handle_call(get, _, Count) -> {reply, Count, Count}.
handle_cast({add, K}, Count) -> {noreply, Count + K}.

start([A]) ->
    N = list_to_integer(A) div 4,
    T0 = now_s(),
    %% A process that gets many messages at once has them outside of its heap, as its documentation recommends.
    {ok, P} = gen_server:start_link(?MODULE, 0, [{spawn_opt, [{message_queue_data, off_heap}]}]),
    Me = self(),
    [spawn(fun() -> send(P, N), Me ! ok end) || _ <- lists:seq(1, 4)],
    [receive ok -> ok end || _ <- lists:seq(1, 4)],
    done(T0, gen_server:call(P, get, infinity)).

%% Only what one process sends arrives in order: each sees to it that all it sent has arrived.
send(P, 0) -> gen_server:call(P, get, infinity);
send(P, N) -> gen_server:cast(P, {add, 1}), send(P, N - 1).
