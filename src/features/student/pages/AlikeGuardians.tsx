import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { useRead } from '#kit/browser/data/read.ts';
import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { normalMobile } from '#kit/contract/fields.ts';
import { guardianApi } from '../contract/guardian.ts';
import { useAdultWords } from './adult-words.tsx';

const leastLetters = 3;

/** The adults of other children who may be the one that is typed. */
export function AlikeGuardians() {
  const { values } = useApiForm();
  const text = (name: string) => String(values[name] ?? '').trim();
  const mobile = normalMobile(text('mobile'));
  const isWhole = /^[0-9]{10}$/.test(mobile);
  const isEnough = text('firstName').length >= leastLetters && (isWhole || text('lastName').length >= leastLetters);
  const key = [text('firstName'), text('lastName'), isWhole ? mobile : ''].join('\n');
  const typed = useLater(isEnough ? key : '');
  return typed === '' ? null : <Offers key={typed} typed={typed} />;
}

interface Choice {
  knownId: string | null;
  isNewAdult: boolean;
}

/**
 * The known adult of this name and number is chosen until the user chooses otherwise. Of a number of another name nobody is,
 * so that the user says whose it is.
 */
function Offers({ typed }: { typed: string }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const [firstName = '', lastName = '', mobile = ''] = typed.split('\n');
  const { data } = useRead(guardianApi.alike, { firstName, lastName, mobile, email: '' });
  const wordsOf = useAdultWords();
  const adults = data ?? [];
  const take = (choice: Choice) => {
    for (const [name, value] of Object.entries(choice)) if (values[name] !== value) change(name, value);
  };
  const same = adults.filter(({ isSame }) => isSame);
  const [known] = same.length === 1 ? same : [];
  const isOpen = known === undefined && adults.some(({ hasContact }) => hasContact);
  const preset = JSON.stringify({
    knownId: known ? String(known.id) : null,
    isNewAdult: adults.length > 0 && !known && !isOpen,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is a new function with each value.
  useEffect(() => {
    if (data) take(JSON.parse(preset) as Choice);
  }, [preset, data === undefined]);
  if (adults.length === 0) return null;
  return (
    <fieldset className="question" aria-label={t`Who this is`}>
      <ChoiceRows>
        {adults.map((adult) => (
          <ChoiceRow
            key={adult.id}
            type="radio"
            id={`alike-${adult.id}`}
            name="alike-adult"
            label={wordsOf(adult)}
            hint={t`Typed values fill only empty fields.`}
            checked={String(values.knownId ?? '') === String(adult.id)}
            onChange={() => take({ knownId: String(adult.id), isNewAdult: false })}
          />
        ))}
        <ChoiceRow
          type="radio"
          id="alike-new"
          name="alike-adult"
          label={t`Another adult`}
          checked={values.isNewAdult === true}
          onChange={() => take({ knownId: null, isNewAdult: true })}
        />
      </ChoiceRows>
    </fieldset>
  );
}
