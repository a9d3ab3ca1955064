import type { Locator, Page } from '@playwright/test';
import { expect, picture } from './school.ts';

/** The focused control, as a keyboard user meets it. */
interface Stop {
  id: string;
  /** The field's name; for buttons that choose a file, the name of the file's field. */
  name: string;
  kind: string;
  value: string;
  isChecked: boolean;
  /** It opens a part of the page that is folded. */
  isFold: boolean;
  words: string;
}

const focused = `(() => {
  const { activeElement: at } = document;
  const words = (at.getAttribute('aria-label') ?? at.textContent).trim();
  const choosesFile = at.type === 'file' ? !at.capture : /^Choose (a|another) file/.test(words);
  let around = at;
  while (choosesFile && !around.querySelector?.('[type=file]') && around.type !== 'file') around = around.parentElement;
  const field = choosesFile && around !== at ? around.querySelector('[type=file]') : at;
  return {
    id: at.id,
    name: field.name ?? '',
    kind: choosesFile ? 'file' : at.type === 'file' ? 'camera' : (at.type ?? ''),
    value: at.value ?? '',
    isChecked: at.checked ?? false,
    isFold: at.matches('summary') && !at.parentElement.open,
    words,
  };
})()`;

export const whereFocusIs = (page: Page) => page.evaluate<Stop>(focused);

/** Opens a menu with Enter and waits until its first item has the focus: an earlier key press would go to that item. */
export async function openMenu(button: Locator) {
  await button.press('Enter');
  await expect(button.page().getByRole('menuitem').first()).toBeFocused();
}

/**
 * Chooses an entry by typing its beginning, in a native list or in a search box. It tries again, since a native list
 * forgets typed letters after a second, and becomes a search box once there are more than thirty entries.
 */
export async function chooseByTyping(list: Locator, words: string) {
  const { keyboard } = list.page();
  await expect(async () => {
    await list.focus();
    if (await list.evaluate(({ tagName }) => tagName === 'SELECT')) {
      await keyboard.type(words);
      return expect(list.locator('option:checked')).toContainText(words, { timeout: 500 });
    }
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(words);
    await expect(list.page().getByRole('option', { name: words })).toBeVisible({ timeout: 5000 });
    await keyboard.press('Enter');
    await expect(list).toHaveValue(new RegExp(words), { timeout: 500 });
  }).toPass({ intervals: [1500] });
}

/**
 * Walks a page with Tab alone and answers each field by its name (a part of a date by its id). Ends on the button with
 * these words once every answer is given; returns the words of every stop.
 */
export async function answerByKeyboard(
  page: Page,
  answers: Record<string, string>,
  end: string,
  [button, press]: [string, () => Promise<void>] = ['', async () => undefined],
) {
  const { keyboard } = page;
  // The listener must be attached before the key, or the browser may open its dialog too soon.
  page.on('filechooser', () => undefined);
  const missing = new Set(Object.keys(answers));
  const met: string[] = [];
  const answer = async (stop: Stop) => {
    const key = stop.id in answers ? stop.id : stop.name;
    const wanted = answers[key];
    if (wanted === undefined) return;
    missing.delete(key);
    if (stop.kind === 'file') {
      delete answers[key]; // Each is answered once.
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Space')]);
      await chooser.setFiles({ ...picture, name: wanted });
      return expect(page.getByText(wanted)).toBeVisible();
    }
    if (stop.kind === 'checkbox') {
      const isWanted = stop.value === 'on' ? wanted === 'true' : wanted.split(',').includes(stop.value);
      if (isWanted !== stop.isChecked) await keyboard.press('Space');
    } else if (stop.kind === 'radio') {
      let { value, isChecked } = stop;
      for (let rows = 0; rows < 10 && !(isChecked && value === wanted); rows++) {
        await keyboard.press(value === wanted ? 'Space' : 'ArrowDown');
        ({ value, isChecked } = await whereFocusIs(page));
      }
    } else if (stop.value !== wanted) await keyboard.type(wanted);
  };

  // At most two rounds: an answer may open questions above it, which the second round meets.
  for (let ends = 0; ends < 2; ) {
    await keyboard.press('Tab');
    const stop = await whereFocusIs(page);
    met.push(stop.words);
    if (stop.isFold && missing.size > 0) await keyboard.press('Enter');
    if (stop.words === end && missing.size === 0) return met;
    if (stop.words === end) ends++;
    await answer(stop);
    if (stop.words === button) await press();
  }
  throw new Error(`Tab did not come to ${[...missing, end].join(', ')}`);
}
