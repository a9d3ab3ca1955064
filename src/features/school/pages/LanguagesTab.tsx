import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showReaderDay } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { languages } from '#kit/contract/languages.ts';
import { type LanguageArea, type LanguageRow, languageApi, textsOnPage } from '../contract/language.ts';
import { SchoolWords } from './SchoolWords.tsx';

/** Which translated texts the school has read. Until then families see that a page was translated by computer. */
export function LanguagesTab() {
  const { t } = useLingui();
  const read = useRead(languageApi.list, {});
  const [opened, setOpened] = useState<LanguageRow>();
  const mark = useAction(languageApi.mark);
  const toast = useToast();
  const nameOf = useAreaName();
  const rowName = ({ language, area }: LanguageRow) => {
    const [spoken, part] = [languages[language].name, nameOf(area)];
    return t`${spoken}, ${part}`;
  };
  const say = async (row: LanguageRow, isRead: boolean) => {
    const { language, area, seen } = row;
    const saved = await mark.run({ language, area, seen, isRead });
    if (saved) toast({ kind: 'success', title: t`Saved.`, of: rowName(row) });
    return saved !== undefined;
  };
  return (
    <QueryBoundary query={read}>
      {({ rows, families }) => (
        <>
          <p className="soft">
            <Trans>
              These texts were translated by computer, and the pages of families say so. Let a person who speaks the
              language read them. Once you mark them as read, the note disappears.
            </Trans>
          </p>
          {families.length > 0 && (
            <p className="soft">
              {families.map(({ language, count }) => (
                <FamiliesOf key={language} spoken={languages[language].name} count={count} />
              ))}
            </p>
          )}
          {mark.problem}
          <ListRows
            caption={<Trans>Languages</Trans>}
            heads={[t`Language`, t`Texts`, t`Read by the school`]}
            rows={rows.map((row) => ({
              key: `${row.language} ${row.area}`,
              attributes: rowOpen(() => setOpened(row)),
              cells: [
                <Button key="name" kind="link" className="list-name" onClick={() => setOpened(row)}>
                  {rowName(row)}
                </Button>,
                row.texts,
                <ReadBy key="read" row={row} />,
              ],
              actions: (
                <RowMenu name={rowName(row)}>
                  {(from) => (
                    <>
                      <Menu.Item onClick={from(() => setOpened(row))}>
                        <Trans>Read the texts</Trans>
                      </Menu.Item>
                      {row.readBy !== null && (
                        <Menu.Item onClick={from(() => void say(row, false))}>
                          <Trans>Mark as not read</Trans>
                        </Menu.Item>
                      )}
                    </>
                  )}
                </RowMenu>
              ),
            }))}
          />
          <SchoolWords />
          {opened && (
            <TextsPanel
              row={opened}
              name={rowName(opened)}
              onRead={() => say(opened, true)}
              onClose={() => setOpened(undefined)}
            />
          )}
        </>
      )}
    </QueryBoundary>
  );
}

const FamiliesOf = ({ spoken, count }: { spoken: string; count: number }) => (
  <>
    <Trans>
      {spoken}: <Plural value={count} one="# guardian" other="# guardians" />.
    </Trans>{' '}
  </>
);

function useAreaName() {
  const { t } = useLingui();
  const names: Readonly<Record<LanguageArea, string>> = {
    form: t`Admission form and consent`,
    family: t`Family page`,
    message: t`Messages and refusals`,
  };
  return (area: LanguageArea) => names[area];
}

function ReadBy({ row: { readBy, readOn, changed } }: { row: LanguageRow }) {
  if (readBy === null) return <Trans>Not read yet</Trans>;
  const day = showReaderDay(readOn);
  return (
    <>
      {readBy}, {day}{' '}
      {changed > 0 && (
        <Chip kind="warn">
          <Plural value={changed} one="# text changed since" other="# texts changed since" />
        </Chip>
      )}
    </>
  );
}

interface PanelProps {
  row: LanguageRow;
  name: string;
  onRead: () => Promise<boolean>;
  onClose: () => void;
}

/** The texts beside their translation, those first that have not been read. */
function TextsPanel({ row: { language, area }, name, onRead, onClose }: PanelProps) {
  const { t } = useLingui();
  const [page, setPage] = useState(1);
  const texts = useRead(languageApi.texts, { language, area, page });
  return (
    <SideDialog title={name} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={texts}>
          {({ rows, total }) => {
            const first = (page - 1) * textsOnPage + 1;
            const last = first + rows.length - 1;
            return (
              <>
                <ListRows
                  caption={name}
                  heads={[t`English`, languages[language].name]}
                  rows={rows.map(({ english, translation, isNew }, place) => ({
                    key: first + place,
                    cells: [
                      <>
                        {english} {isNew && <Chip>{t`Not read`}</Chip>}
                      </>,
                      <span key="translation" lang={language}>
                        {translation}
                      </span>,
                    ],
                  }))}
                />
                <Row>
                  <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
                    <Trans>Previous</Trans>
                  </Button>
                  <span>
                    <Trans>
                      {first} to {last} of {total}
                    </Trans>
                  </span>
                  <Button disabled={last >= total} onClick={() => setPage(page + 1)}>
                    <Trans>Next</Trans>
                  </Button>
                  <Button
                    kind="main"
                    onClick={async () => {
                      if (await onRead()) close();
                    }}
                  >
                    <Trans>Mark all as read</Trans>
                  </Button>
                </Row>
              </>
            );
          }}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}
