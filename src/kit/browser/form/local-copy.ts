import { createStore, del, entries, get, set } from 'idb-keyval';

// What is typed stays on this device while the line is away. It is encrypted with a key that the server tells only to a
// link that opens the form, and that is kept nowhere: without such a link nothing on the device can be read.

let deviceKey = '';

/** Names the key that seals what this device keeps; until then nothing is kept or read. */
export function setDeviceKey(key: string) {
  deviceKey = key;
}

export interface LocalCopy {
  answers: Record<string, unknown>;
  /** The number of the server's draft it was typed over. */
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

/** Keeps a page's answers on this device; does nothing where the browser offers no store or no cryptography. */
export async function keepLocally(page: string, copy: LocalCopy): Promise<boolean> {
  try {
    const { name, key } = await secrets(page);
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    const plain = new TextEncoder().encode(JSON.stringify(copy));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, plain);
    await set(name, { nonce, sealed, at: Date.now() } satisfies Kept, store());
    return true;
  } catch {
    return false; // Private windows and full stores; the server's copy is then the only one.
  }
}

/** What this device kept of a page, if anything. */
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

/** Removes everything this device keeps of any form (B51); `tooOld` only what is older than seven days. */
export async function forgetAllLocally(which: 'all' | 'tooOld'): Promise<void> {
  try {
    for (const [name, { at }] of await entries<IDBValidKey, Kept>(store())) {
      if (which === 'all' || Date.now() - at > longest) await del(name, store());
    }
  } catch {
    // Nothing was kept.
  }
}

/** Two values made from device key and page: the name a copy lies under, and the key that opens it. */
async function secrets(page: string) {
  if (!deviceKey) throw new Error('There is no key to seal a copy with.');
  const of = (purpose: string) =>
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(`shala ${purpose} ${page} ${deviceKey}`));
  const name = [...new Uint8Array(await of('name'))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const key = await crypto.subtle.importKey('raw', await of('key'), 'AES-GCM', false, ['encrypt', 'decrypt']);
  return { name, key };
}
