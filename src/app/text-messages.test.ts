import { expect, test } from 'vitest';
import { isPlainSms, segmentsOf } from '#kit/contract/segments.ts';
import { smsOf } from '#kit/server/messages/text-message.ts';
import { features } from './features.server.ts';

const sender = { name: 'Sunrise School', phone: '0261 222 1100' };

test('the English words of each text message keep to the letters that cost one part where they fit', () => {
  const kinds = features.flatMap(({ textMessages }) => Object.entries(textMessages));
  const wide = kinds.flatMap(([kind, { example }]) => {
    const words = smsOf(example(sender, 'https://a.school.example'));
    return isPlainSms(words) ? [] : [`${kind} (${segmentsOf(words)} parts): ${words}`];
  });
  expect(wide).toEqual([]);
});
