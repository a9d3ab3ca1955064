import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
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
  return typed === '' ? null : <Offers typed={typed} />;
}

function Offers({ typed }: { typed: string }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const [firstName = '', lastName = '', mobile = ''] = typed.split('\n');
  const { data: adults = [] } = useRead(guardianApi.alike, { firstName, lastName, mobile, email: '' });
  const wordsOf = useAdultWords();
  const chosen = adults.find(({ id }) => String(id) === String(values.knownId ?? ''));
  if (adults.length === 0) return null;
  if (chosen) {
    const words = wordsOf(chosen);
    return (
      <Notice as="div" kind="good" role="status">
        <Trans>Links {words}. Typed values fill only empty fields.</Trans>{' '}
        <Button kind="quiet" onClick={() => change('knownId', null)}>
          <Trans>Another adult</Trans>
        </Button>
      </Notice>
    );
  }
  return (
    <Notice as="div" role="status">
      <Trans>Known already?</Trans>
      <ul>
        {adults.map((adult) => {
          const words = wordsOf(adult);
          return (
            <li key={adult.id}>
              {words}{' '}
              <Button kind="quiet" aria-label={t`Use ${words}`} onClick={() => change('knownId', String(adult.id))}>
                <Trans>Use</Trans>
              </Button>
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
