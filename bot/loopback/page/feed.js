// The socket on which the page hears what happens; it comes back by itself.

const FIRST_PAUSE = 250; // ms
const LONGEST_PAUSE = 4000;

/** Listen as a player: `hear(name, data)` is called with each event, `lost()` when the server is gone for now. */
export function listen(player, { hear, lost }) {
  let pause = FIRST_PAUSE;
  const connect = () => {
    const socket = new WebSocket(`ws://${location.host}/local/${encodeURIComponent(player)}/feed`);
    socket.onmessage = (event) => {
      const { t, d } = JSON.parse(event.data);
      pause = FIRST_PAUSE;
      hear(t, d);
    };
    socket.onclose = () => {
      lost();
      setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
  };
  connect();
}
