import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fill, findPressable, nameOf, openForm, page, press, says } from '#testing/form-page.tsx';
import { siblingApi } from '../contract/sibling.ts';
import type { SiblingOffer } from '../contract/sibling-offer.ts';

const offer: SiblingOffer = {
  firstName: 'Asha',
  grade: 'Grade 4',
  receivers: [{ parent: 'Mother', mobile: '98XXXXXX22' }],
  isUsed: false,
};
const question = 'Use the family details we hold for Asha (Grade 4)?';
const shows = (words: string) => waitFor(() => expect(page()).toContain(words));

test('B25 a family with a sibling’s form asks for a code, enters it, and the page opens again with the details', async () => {
  const reload = vi.fn();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  const server = await openForm('/admission1', {
    inquiry: { sibling: offer },
    answers: {
      [nameOf(siblingApi.sendCode)]: { isSuccess: true, ...says('We sent a code to 98XXXXXX22.') },
      [nameOf(siblingApi.useDetails)]: { isSuccess: true, ...says('Filled in.') },
    },
  });
  await shows(question);
  press('Send a code to the mother, 98XXXXXX22');
  await shows('We sent a code to 98XXXXXX22.');
  await waitFor(() => fill('code', 'ab cde'));
  press('Fill in the details');
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  const [used] = server.sent.filter(({ path }) => path.endsWith('/siblings/details'));
  expect(used?.fields).toMatchObject({ code: 'ab cde' });
});

test('once the details are filled in, the page says so and asks to check them; other pages say nothing of it', async () => {
  await openForm('/admission1', { inquiry: { sibling: { ...offer, isUsed: true } } });
  await shows('The family details are filled in from Asha’s form. Check every answer before you save.');
  await openForm('/admission1', { pages: 1, inquiry: { sibling: offer } });
  await findPressable('Save and Next');
  await shows(question);
  await openForm('/admission2', { pages: 2, inquiry: { sibling: offer } });
  await findPressable('Save and Next');
  expect(page()).not.toContain(question);
});
