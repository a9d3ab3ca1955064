import { defineHook } from '#kit/contract/hook.ts';
import type { SettingChange } from '#kit/contract/setting.ts';

/** A change of a setting that waits for a second person. */
export interface HeldSetting {
  key: string;
  from: string;
  to: string;
  askedBy: string;
  askedOn: string;
}

/** Asked where settings are listed: the changes that are kept for a decision. */
export const heldSettings = defineHook<object, readonly HeldSetting[]>('held-settings');

/**
 * Asked in the transaction that saves a guarded setting. An answer that keeps the change for a decision says so, and
 * nothing is saved; without such an answer the change applies at once, and is reported as every change.
 */
export const guardedSetting = defineHook<SettingChange, { isHeld: boolean }>('guarded-setting');
