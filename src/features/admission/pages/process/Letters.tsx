import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { letterApi, letterVariables, writeLetter } from '../../contract/letter.ts';
import { LetterWords } from './LetterWords.tsx';

/** The words of the three letters, each with an example. */
export function Letters() {
  const { t } = useLingui();
  const read = useRead(letterApi.texts, {});
  const mayEdit = useMay(letterApi.saveText);
  const titles = { Offer: t`Offer`, Waitlist: t`Waiting list`, Reject: t`Not offered` };
  const example = {
    child: 'Hetvi Kapadia',
    grade: 'Grade 1',
    year: '2027-28',
    amount: '₹15,000',
    replyBy: '8 Mar 2027',
    conditions: '',
  };
  const variables = letterVariables.map((name) => `{${name}}`).join(', ');
  return (
    <QueryBoundary query={read}>
      {(texts) =>
        texts.map(({ kind, version, subject, body }) => (
          <RecordCard key={kind} title={titles[kind]}>
            <LetterWords {...writeLetter({ subject, body }, example)} />
            {mayEdit && (
              <CardButtons>
                <FormOpener kind="plain" title={titles[kind]} label={<Trans>Edit…</Trans>}>
                  {(onClose) => (
                    <RecordForm
                      title={titles[kind]}
                      about={t`Variables: ${variables}. A sentence whose variable has no value is left out.`}
                      endpoint={letterApi.saveText}
                      initial={{ subject, body }}
                      hiddenValues={{ kind, version }}
                      onClose={onClose}
                    >
                      <TextField name="subject" />
                      <TextField
                        name="body"
                        long
                        hint={<Trans>An empty line begins a new paragraph. Released letters don’t change.</Trans>}
                      />
                    </RecordForm>
                  )}
                </FormOpener>
              </CardButtons>
            )}
          </RecordCard>
        ))
      }
    </QueryBoundary>
  );
}
