import { createStore, del, entries, get, set } from 'idb-keyval';

// While the connection is lost, typed values stay on this device. They are encrypted with a key that the server gives
// only to a valid link and that is stored nowhere: without such a link nothing on the device can be read.

let deviceKey = '';

/** Sets the key that encrypts this device's copies; until then nothing is stored or read. */
export function setDeviceKey(key: string) {
  deviceKey = key;
}

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

let opened: ReturnType<typeof createStore> | undefined;
const store = () => {
  opened ??= createStore('shala', 'drafts');
  return opened;
};

/** Stores a page's answers on this device; does nothing where the browser offers no storage or no cryptography. */
export async function keepLocally(page: string, copy: LocalCopy): Promise<boolean> {
  try {
    const { name, key } = await secrets(page);
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(JSON.stringify(copy));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, plain);
    await set(name, { nonce, sealed, at: Date.now() } satisfies Kept, store());
    return true;
  } catch {
    return false; // Private windows and full storage; the server's copy is then the only one.
  }
}

/** This device's copy of a page, if there is one. */
export async function readLocally(page: string): Promise<LocalCopy | undefined> {
  try {
    const { name, key } = await secrets(page);
    const kept = await get<Kept>(name, store());
    if (!kept || Date.now() - kept.at > longest) return undefined;
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: kept.nonce }, key, kept.sealed);
    return JSON.parse(new TextDecoder().decode(plain)) as LocalCopy;
  } catch {
    return undefined;
  }
}

export async function forgetLocally(page: string): Promise<void> {
  try {
    await del((await secrets(page)).name, store());
  } catch {
    // Nothing was kept.
  }
}

/** Deletes this device's copies of all forms (B51); with `tooOld` only those older than seven days. */
export async function forgetAllLocally(which: 'all' | 'tooOld'): Promise<void> {
  try {
    for (const [name, { at }] of await entries<IDBValidKey, Kept>(store())) {
      if (which === 'all' || Date.now() - at > longest) await del(name, store());
    }
  } catch {
    // Nothing was kept.
  }
}

/** Derives two values from device key and page: the name of the copy, and its encryption key. */
async function secrets(page: string) {
  if (!deviceKey) throw new Error('There is no key to seal a copy with.');
  const of = (purpose: string) =>
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(`shala ${purpose} ${page} ${deviceKey}`));
  const name = [...new Uint8Array(await of('name'))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const key = await crypto.subtle.importKey('raw', await of('key'), 'AES-GCM', false, ['encrypt', 'decrypt']);
  return { name, key };
}
