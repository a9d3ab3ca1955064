import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type Language, languageKeys, languages } from '#kit/contract/languages.ts';
import { type TextMessageRow, textMessageApi } from '../contract/text-message.ts';

/** The text messages that the system sends, and their templates as the operators registered them. */
export function TextMessagesTab() {
  const { t } = useLingui();
  const [language, setLanguage] = useState<Language>('en');
  const messages = useRead(textMessageApi.list, { language });
  const [changed, setChanged] = useState<string>();
  const [asked, setAsked] = useState<TextMessageRow>();
  return (
    <QueryBoundary query={messages}>
      {({ rows }) => {
        const edited = rows.find(({ kind }) => kind === changed);
        return (
          <>
            <p className="soft">
              <Trans>
                Operators drop a text message that differs from its registered template. Register each text with them,
                then enter the registered text here.
              </Trans>
            </p>
            <p>
              <label htmlFor="text-language">
                <Trans>Language of the texts</Trans>
              </label>{' '}
              <select
                id="text-language"
                className="box"
                value={language}
                onChange={(event) => setLanguage(event.currentTarget.value as Language)}
              >
                {languageKeys.map((key) => (
                  <option key={key} value={key}>
                    {languages[key].name}
                  </option>
                ))}
              </select>
            </p>
            {language !== 'en' && (
              <p className="soft">
                <Trans>
                  A kind that is not registered here is sent in English once any text is registered. A text in another
                  script costs as much as two.
                </Trans>
              </p>
            )}
            <ListRows
              caption={<Trans>Text messages</Trans>}
              heads={[t`Sent`, t`Template ID`, t`Registered template`]}
              rows={rows.map((row, place) => ({
                key: place,
                attributes: rowOpen(() => setChanged(row.kind)),
                cells: [
                  <Button
                    key="name"
                    kind="link"
                    className="list-name"
                    data-row-name={row.kind}
                    onClick={() => setChanged(row.kind)}
                  >
                    {translate(row.when)}
                  </Button>,
                  row.templateId || '–',
                  <Status key="status" row={row} />,
                ],
                actions: (
                  <RowMenu name={translate(row.when)}>
                    {(from) => (
                      <>
                        <Menu.Item onClick={from(() => setChanged(row.kind))}>
                          <Trans>Edit</Trans>
                        </Menu.Item>
                        {row.id !== null && (
                          <Menu.Item onClick={from(() => setAsked(row))}>
                            <Trans>History</Trans>
                          </Menu.Item>
                        )}
                      </>
                    )}
                  </RowMenu>
                ),
              }))}
            />
            {edited && (
              <EditTemplate key={edited.kind} row={edited} language={language} onClose={() => setChanged(undefined)} />
            )}
            {asked && asked.id !== null && (
              <HistoryDialog
                endpoint={textMessageApi.history}
                id={asked.id}
                displayName={translate(asked.when)}
                onClose={() => setAsked(undefined)}
              />
            )}
          </>
        );
      }}
    </QueryBoundary>
  );
}

/** Whether our text agrees with the registered one, and what follows if not. */
function Status({ row: { status, differsAt, hasChanged } }: { row: TextMessageRow }) {
  if (status === 'Agrees')
    return hasChanged ? (
      <Trans>Agrees: messages keep the registered words. Ours have changed since.</Trans>
    ) : (
      <Trans>Agrees</Trans>
    );
  if (status === 'Not registered') return <Trans>Not registered</Trans>;
  return differsAt === '' ? (
    <Trans>Differs: the registered text is longer. Not sent until the texts agree.</Trans>
  ) : (
    <Trans>Differs at: “{shortened(differsAt)}”. Not sent until the texts agree.</Trans>
  );
}

const shortened = (words: string) => (words.length > 40 ? `${words.slice(0, 40).trimEnd()}…` : words);

interface Edited {
  row: TextMessageRow;
  language: Language;
  onClose: () => void;
}

function EditTemplate({ row, language, onClose }: Edited) {
  const { t } = useLingui();
  const toast = useToast();
  const { kind, when, ourText, registeredText, templateId, rowVersion, status } = row;
  const title = t`Edit text message`;
  const copy = () =>
    navigator.clipboard?.writeText(ourText).then(
      () => toast({ kind: 'success', title: t`Text copied.` }),
      () => undefined,
    );
  // Text with braces cannot be part of an ICU message.
  const marks = { any: '{#var#}', number: '{#numeric#}', address: '{#url#}' };
  return (
    <RecordForm
      title={title}
      about={translate(when)}
      endpoint={textMessageApi.save}
      initial={{ registeredText, templateId }}
      hiddenValues={{ kind, language, rowVersion }}
      onClose={onClose}
    >
      <Stack as="section" gap={8} justify="start" mb={16}>
        <h3>
          <Trans>Our text</Trans>
        </h3>
        <Text breaks="pre-wrap">{ourText}</Text>
        <Button onClick={() => void copy()}>
          <Trans>Copy text</Trans>
        </Button>
      </Stack>
      {status === 'Differs' && (
        <Notice kind="bad">
          <Status row={row} />
        </Notice>
      )}
      <TextField
        name="registeredText"
        long
        hint={t`As the operator shows it, with ${marks.any}, ${marks.number} or ${marks.address}. If it differs from our text, messages of this kind are not sent.`}
      />
      <TextField name="templateId" width="medium" inputMode="numeric" hint={t`The operators’ number, 19 digits.`} />
    </RecordForm>
  );
}
