import { createStore, del, entries, get, set } from 'idb-keyval';

// While the connection is lost, typed values stay on this device. They are encrypted with a key that the server gives
// only to their owner and that is stored nowhere: without it nothing on the device can be read.

export interface LocalCopy {
  answers: Record<string, unknown>;
  /** The number of the server's draft that the copy started from. */
  basedOn: number;
  at: string;
}

interface Kept {
  nonce: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
  at: number;
}

const longest = 7 * 24 * 60 * 60 * 1000;

type Store = ReturnType<typeof createStore>;
const stores = new Map<string, Store>();

/** The copies of forms, and of registers: each kind in a database of its own. */
const databases = { drafts: 'shala', registers: 'shala-registers' } as const;
type Kind = keyof typeof databases;

function storeOf(kind: Kind): Store {
  const store = stores.get(kind) ?? createStore(databases[kind], kind);
  stores.set(kind, store);
  return store;
}

/** Copies of one kind on this device, encrypted with a key; without storage, cryptography or key nothing is kept. */
export const openLocalCopies = <Copy>(deviceKey: string, kind: Kind) => ({
  /** Stores a copy under a name; false where the browser cannot. */
  keep: async (name: string, copy: Copy): Promise<boolean> => {
    try {
      const { place, key } = await secrets(deviceKey, name);
      const nonce = crypto.getRandomValues(new Uint8Array(12));
      const plain = new TextEncoder().encode(JSON.stringify(copy));
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, plain);
      await set(place, { nonce, sealed, at: Date.now() } satisfies Kept, storeOf(kind));
      return true;
    } catch {
      return false; // Private windows and full storage; the server's copy is then the only one.
    }
  },
  read: async (name: string): Promise<Copy | undefined> => {
    try {
      const { place, key } = await secrets(deviceKey, name);
      const kept = await get<Kept>(place, storeOf(kind));
      if (!kept || Date.now() - kept.at > longest) return undefined;
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: kept.nonce }, key, kept.sealed);
      return JSON.parse(new TextDecoder().decode(plain)) as Copy;
    } catch {
      return undefined;
    }
  },
  forget: async (name: string): Promise<void> => {
    try {
      await del((await secrets(deviceKey, name)).place, storeOf(kind));
    } catch {
      // Nothing was kept.
    }
  },
});

let formCopies = openLocalCopies<LocalCopy>('', 'drafts');

/** Sets the key that encrypts this device's copies of forms; until then nothing is stored or read. */
export function setDeviceKey(key: string) {
  formCopies = openLocalCopies(key, 'drafts');
}

/** Stores a page's answers on this device; does nothing where the browser offers no storage or no cryptography. */
export const keepLocally = (page: string, copy: LocalCopy) => formCopies.keep(page, copy);

/** This device's copy of a page, if there is one. */
export const readLocally = (page: string) => formCopies.read(page);

export const forgetLocally = (page: string) => formCopies.forget(page);

/** Deletes this device's copies of all forms (B51); with `tooOld` only those older than seven days. */
export async function forgetAllLocally(which: 'all' | 'tooOld'): Promise<void> {
  try {
    for (const [name, { at }] of await entries<IDBValidKey, Kept>(storeOf('drafts'))) {
      if (which === 'all' || Date.now() - at > longest) await del(name, storeOf('drafts'));
    }
  } catch {
    // Nothing was kept.
  }
}

/** Derives two values from device key and name: the place of the copy, and its encryption key. */
async function secrets(deviceKey: string, name: string) {
  if (!deviceKey) throw new Error('There is no key to seal a copy with.');
  const of = (purpose: string) =>
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(`shala ${purpose} ${name} ${deviceKey}`));
  const place = [...new Uint8Array(await of('name'))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const key = await crypto.subtle.importKey('raw', await of('key'), 'AES-GCM', false, ['encrypt', 'decrypt']);
  return { place, key };
}
