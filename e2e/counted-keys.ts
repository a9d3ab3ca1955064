import type { Locator, Page } from '@playwright/test';
import { expect } from './school.ts';

/** A keyboard that counts the presses of its keys. */
export function countedKeyboard(page: Page) {
  const counted = { keys: 0 };
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      counted.keys += 1;
      await page.keyboard.press(key);
    }
  };
  const type = async (words: string) => {
    counted.keys += words.length;
    await page.keyboard.type(words);
  };
  /** Presses Tab until the field has the focus. */
  const tabTo = async (field: Locator) => {
    for (let tabs = 0; tabs < 12; tabs++) {
      if (await field.evaluate((element) => element.contains(element.ownerDocument.activeElement))) return;
      await press('Tab');
    }
    await expect(field).toBeFocused();
  };
  return { counted, press, type, tabTo };
}
