import { expect, test } from 'vitest';
import { isTranslated, say } from '#kit/server/language/say.ts';
import { saidIn, smsOf } from '#kit/server/messages/text-message.ts';
import { allTextMessages } from './features.server.ts';

/** A school with a name of 20 letters, and links of 30. */
const sender = { name: 'Teak Tree School Adi', phone: '9825000001' };
const publicUrl = 'https://teak.exam';

/** Of staff alone, who read English. Another kind is written in Gujarati and Hindi too. */
const englishOnly = ['account-invited-sms', 'contact-code', 'email-added', 'mobile-changed', 'sign-in-code'];

const rendered = Object.entries(allTextMessages).map(([kind, { example }]) => ({
  kind,
  message: example(sender, publicUrl),
}));
const ofFamilies = rendered.filter(({ message }) => saidIn(message).every((one) => isTranslated(one, 'gu')));

test('every text message to families is in Gujarati and Hindi', () => {
  for (const language of ['gu', 'hi'] as const) {
    const missing = rendered.filter(({ message }) => !saidIn(message).every((one) => isTranslated(one, language)));
    expect(missing.map(({ kind }) => kind).sort()).toEqual(englishOnly);
  }
});

test.each(['gu', 'hi'] as const)(
  'LG05 with usual values a text message in %s has two parts of 67 letters',
  (language) => {
    const lengths = ofFamilies.map(({ kind, message }) => {
      // A child’s name of 12 letters.
      const words = smsOf(message, say(language)).replace(/Aarohi(?! )/, 'Aarohi Patel');
      return [kind, words.length] as const;
    });
    expect(lengths.filter(([, length]) => length > 134)).toEqual([]);
    expect(lengths.length).toBeGreaterThan(15);
  },
);
