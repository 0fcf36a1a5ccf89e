%% A gen_server gives each of 1000 others a task, and again when all are answered, n tasks in all.
-module(main).
-behaviour(gen_server).
-export([start/1, init/1, handle_call/3, handle_cast/2]).

now_s() -> erlang:monotonic_time(nanosecond) / 1.0e9.
done(T0, R) ->
    io:format("TIME total ~.6f~nRESULT ~p~n", [now_s() - T0, R]),
    halt(0).

%% worker, or what a hub knows: its workers, rounds left, answers that this one lacks, answers in all, whom to tell when it is over
init(State) -> {ok, State}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast({task, From}, worker) ->
    gen_server:cast(From, done),
    {noreply, worker};
handle_cast(start, Hub) -> {noreply, deal(Hub)};
handle_cast(done, {Workers, Rounds, 1, Answers, Main}) -> {noreply, deal({Workers, Rounds, 0, Answers + 1, Main})};
handle_cast(done, {Workers, Rounds, Lacking, Answers, Main}) -> {noreply, {Workers, Rounds, Lacking - 1, Answers + 1, Main}}.

deal(Hub = {_, 0, _, Answers, Main}) ->
    Main ! {over, Answers},
    Hub;
deal({Workers, Rounds, _, Answers, Main}) ->
    [gen_server:cast(W, {task, self()}) || W <- Workers],
    {Workers, Rounds - 1, length(Workers), Answers, Main}.

start([A]) ->
    Width = 1000,
    Rounds = list_to_integer(A) div Width,
    T0 = now_s(),
    Workers = [new(worker, []) || _ <- lists:seq(1, Width)],
    %% A process that gets many messages at once has them outside of its heap, as its documentation recommends.
    Hub = new({Workers, Rounds, 0, 0, self()}, [{spawn_opt, [{message_queue_data, off_heap}]}]),
    gen_server:cast(Hub, start),
    receive {over, Answers} -> done(T0, Answers) end.

new(State, Options) ->
    {ok, P} = gen_server:start_link(?MODULE, State, Options),
    P.
