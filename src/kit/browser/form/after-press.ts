let waiting: (() => void)[] | undefined;

const { addEventListener } = globalThis as { addEventListener?: Window['addEventListener'] };
addEventListener?.(
  'mousedown',
  () => {
    waiting = [];
  },
  true,
);
addEventListener?.(
  'mouseup',
  () => {
    const acts = waiting;
    waiting = undefined;
    // The click comes with the release.
    setTimeout(() => {
      for (const act of acts ?? []) act();
    });
  },
  true,
);

/** Acts at once, or once the mouse or finger that is down is up: what moves under it takes its click away. */
export const afterPress = (act: () => void) => (waiting ? void waiting.push(act) : act());
