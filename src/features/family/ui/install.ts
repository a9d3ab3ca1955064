/** What a browser of Android sends once it would put the page on the home screen. */
export interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

let offer: InstallOffer | undefined;
const listeners = new Set<() => void>();

const keep = (next: InstallOffer | undefined) => {
  offer = next;
  for (const listener of listeners) listener();
};

/** Keeps the browser's offer until a guardian presses the page's button; it comes before the parts of the page have loaded. */
export function listenForInstall() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    keep(event as InstallOffer);
  });
  window.addEventListener('appinstalled', () => keep(undefined));
}

export const installOffer = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  read: () => offer,
  /** A browser lets an offer be used once. */
  async take() {
    const taken = offer;
    keep(undefined);
    await taken?.prompt();
  },
};
