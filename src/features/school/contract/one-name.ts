import { rule, tick } from '#kit/contract/fields.ts';
import { type Text, text } from '#kit/contract/text.ts';

/** Signs and words that offices type where a person has no name to enter: ".", "-", "NA", "XXX", "12". */
export const isNoName = (name: string): boolean => /^(?:n[./ ]*a[./ ]*|x{1,5}|[^\p{L}]+)$/iu.test(name.trim());

export const oneNameWords = {
  label: text`Has one name only`,
  noName: (typed: string): Text => text`“${{ typed }}” is not a name. Enter it as in the documents.`,
  noLastName: (typed: string): Text => text`“${{ typed }}” is no name. Leave this empty and tick “Has one name only”.`,
  asks: text`Enter the last name, or tick “Has one name only”.`,
};

/** Says that an empty last name is no mistake. */
export const oneNameInput = { hasOneName: tick(oneNameWords.label) };

/** A person has a first name, and a last name unless the papers carry one name only. */
export const checkNames = rule<{ firstName: string; lastName: string; hasOneName: boolean }>(
  ({ firstName = '', lastName, hasOneName }, say) => {
    if (firstName !== '' && isNoName(firstName)) say('firstName', oneNameWords.noName(firstName));
    if (lastName === undefined) return;
    if (lastName === '') {
      if (!hasOneName) say('lastName', oneNameWords.asks);
    } else if (isNoName(lastName)) say('lastName', oneNameWords.noLastName(lastName));
  },
);

/** As `checkNames` for an adult, whose last name may be empty without a tick. */
export const checkAdultNames = rule<{ firstName: string; lastName: string }>(
  ({ firstName = '', lastName = '' }, say) => {
    if (firstName !== '' && isNoName(firstName)) say('firstName', oneNameWords.noName(firstName));
    if (lastName !== '' && isNoName(lastName))
      say('lastName', text`“${{ typed: lastName }}” is no name. Leave this empty.`);
  },
);

/** As `checkNames` for a person whose whole name is one field. */
export const checkName = rule<{ name: string }>(({ name = '' }, say) => {
  if (name !== '' && isNoName(name)) say('name', oneNameWords.noName(name));
});
