import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { languages } from '#kit/contract/languages.ts';
import { schoolWordsApi, type SchoolWords as Words } from '../contract/school-words.ts';

/** What the school wrote in English itself, entered in the languages of families. */
export function SchoolWords() {
  const { t } = useLingui();
  const read = useRead(schoolWordsApi.list, {});
  const [opened, setOpened] = useState<Words>();
  return (
    <QueryBoundary query={read}>
      {({ rows }) => (
        <>
          <ListRows
            caption={<Trans>Texts of the school</Trans>}
            heads={[t`Language`, t`Office hours`, t`Families read`]}
            rows={rows.map((row) => ({
              key: row.language,
              attributes: rowOpen(() => setOpened(row)),
              cells: [
                <Button key="name" kind="link" className="list-name" onClick={() => setOpened(row)}>
                  <Named language={row.language} />
                </Button>,
                row.hours,
                <Read key="read" row={row} />,
              ],
            }))}
          />
          {opened && <Edit row={opened} onClose={() => setOpened(undefined)} />}
        </>
      )}
    </QueryBoundary>
  );
}

function Named({ language }: Pick<Words, 'language'>) {
  const spoken = languages[language].name;
  return <Trans>{spoken}, texts of the school</Trans>;
}

function Read({ row: { isMissing, isOld, language } }: { row: Words }) {
  if (isMissing || isOld)
    return (
      <Chip kind="warn">
        {isOld ? <Trans>English, which has changed since</Trans> : <Trans>English, where nothing is entered</Trans>}
      </Chip>
    );
  return languages[language].name;
}

function Edit({ row, onClose }: { row: Words; onClose: () => void }) {
  const { t } = useLingui();
  const { language, hours, hospitalText, rowVersion, english } = row;
  const spoken = languages[language].name;
  return (
    <RecordForm
      title={t`${spoken}, texts of the school`}
      endpoint={schoolWordsApi.save}
      initial={{ hours, hospitalText }}
      hiddenValues={{ language, rowVersion: String(rowVersion) }}
      saved={() => t`Saved.`}
      onClose={onClose}
    >
      <TextField name="hours" hint={english.hours} />
      <TextField name="hospitalText" long hint={english.hospitalText} />
    </RecordForm>
  );
}
