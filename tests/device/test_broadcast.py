"""Every event reaches every listener once and in order, or he is told that he missed some."""

import threading

from device.broadcast import Broadcast, Item, Missed


def numbers(taken: tuple[Item, ...] | Missed) -> list[int]:
    assert not isinstance(taken, Missed)
    return [item.number for item in taken]


def test_a_listener_gets_what_came_after_the_number_he_has() -> None:
    broadcast = Broadcast()
    for text in ("a", "b", "c"):
        broadcast.publish({"text": text})
    taken = broadcast.since(1)
    assert not isinstance(taken, Missed)
    assert [(item.number, item.event["text"]) for item in taken] == [(2, "b"), (3, "c")]
    assert broadcast.since(3) == ()


def test_without_a_number_a_listener_begins_with_the_next_event() -> None:
    broadcast = Broadcast()
    broadcast.publish({})
    place = broadcast.subscribe()
    assert place.take() == ()
    broadcast.publish({})
    assert numbers(place.take()) == [2]
    assert place.take() == ()


def test_what_is_no_longer_kept_is_said_and_the_row_goes_on() -> None:
    broadcast = Broadcast(room=4)
    place = broadcast.subscribe(0)
    for _ in range(7):
        broadcast.publish({})
    assert place.take() == Missed(3)
    broadcast.publish({})
    assert numbers(place.take()) == [8]


def test_exactly_what_is_kept_is_not_missed() -> None:
    broadcast = Broadcast(room=4)
    for _ in range(7):
        broadcast.publish({})
    assert numbers(broadcast.since(3)) == [4, 5, 6, 7]
    assert broadcast.since(2) == Missed(1)


def test_a_number_from_another_run_is_not_believed() -> None:
    broadcast = Broadcast()
    broadcast.publish({})
    assert broadcast.since(5) == Missed(0)
    assert broadcast.since(-1) == Missed(0)
    assert broadcast.run != Broadcast().run


def test_many_threads_publish_and_many_listeners_see_the_same_whole_row() -> None:
    broadcast = Broadcast()
    each, publishers = 200, 4
    everything = each * publishers
    seen: list[list[Item]] = [[] for _ in range(5)]

    def listen(into: list[Item]) -> None:
        place = broadcast.subscribe(0)
        while len(into) < everything:
            taken = place.take(timeout_s=5)
            if isinstance(taken, Missed) or not taken:
                return
            into.extend(taken)

    def publish(who: int) -> None:
        for count in range(each):
            broadcast.publish({"who": who, "count": count})

    threads = [threading.Thread(target=listen, args=(into,)) for into in seen]
    threads += [threading.Thread(target=publish, args=(who,)) for who in range(publishers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert [item.number for item in seen[0]] == list(range(1, everything + 1))
    assert all(row == seen[0] for row in seen)
    for who in range(publishers):
        counts = [item.event["count"] for item in seen[0] if item.event["who"] == who]
        assert counts == list(range(each))


def test_a_bell_rings_for_each_event_until_it_is_hung_up() -> None:
    broadcast = Broadcast()
    rung: list[int] = []
    hang_up = broadcast.listen(lambda: rung.append(broadcast.last))
    broadcast.publish({})
    broadcast.publish({})
    hang_up()
    hang_up()
    broadcast.publish({})
    assert rung == [1, 2]


def test_waiting_ends_when_the_time_is_over() -> None:
    broadcast = Broadcast()
    assert not broadcast.wait(0, 0.01)
    broadcast.publish({})
    assert broadcast.wait(0, 0.0)
