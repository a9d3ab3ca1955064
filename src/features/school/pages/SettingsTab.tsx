import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { rowOpen } from '#kit/browser/list/row-open.ts';
import { SearchBox } from '#kit/browser/list/SearchBox.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Box, Row } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import { settingWords } from '#kit/contract/setting.ts';
import { type SettingRow, settingApi } from '../contract/setting.ts';
import { EditSetting } from './EditSetting.tsx';
import styles from './SettingsTab.module.css';

const isDefault = ({ value, default: usual }: SettingRow) => JSON.stringify(value) === JSON.stringify(usual);

const plain = (words: string) => words.normalize('NFKC').toLocaleLowerCase();

/** Whether every word of the search is in the setting's label, help or group. */
function matches({ label, help, group }: SettingRow, search: string) {
  const all = plain([label, help, group].map(translate).join(' '));
  return plain(search)
    .split(/\s/)
    .every((word) => all.includes(word));
}

/** The settings by their groups, in the order of the server. */
function grouped(rows: readonly SettingRow[]) {
  const groups = new Map<string, SettingRow[]>();
  for (const row of rows) {
    const group = translate(row.group);
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return [...groups];
}

export function SettingsTab() {
  const { t } = useLingui();
  const settings = useRead(settingApi.list, {});
  const [search, setSearch] = useState('');
  const [changed, setChanged] = useState<SettingRow>();
  const [asked, setAsked] = useState<SettingRow>();
  const toast = useToast();
  const save = useAction(settingApi.save);
  const reset = async ({ key, rowVersion, label }: SettingRow) => {
    const saved = await save.run({ key, value: null, rowVersion });
    const title = saved?.isHeld ? t`A second person decides.` : t`Saved.`;
    if (saved) toast({ kind: 'success', title, of: translate(label) });
  };
  return (
    <QueryBoundary query={settings}>
      {({ rows }) => {
        const found = rows.filter((row) => matches(row, search));
        return (
          <>
            <Row>
              <SearchBox
                label={t`Search settings`}
                placeholder={t`Search settings`}
                value={search}
                onSearch={setSearch}
              />
            </Row>
            <VisuallyHidden role="status">
              {search !== '' && <Plural value={found.length} one="# setting found" other="# settings found" />}
            </VisuallyHidden>
            {save.problem}
            {found.length === 0 && <EmptyState message={<Trans>No settings match. Try other words.</Trans>} />}
            {grouped(found).map(([group, rows]) => (
              <Box as="section" mt={20} key={group} className={styles.group} aria-label={group}>
                <h2>{group}</h2>
                <Group group={group} rows={rows} onEdit={setChanged} onReset={reset} onHistory={setAsked} />
              </Box>
            ))}
            {changed && <EditSetting key={changed.key} setting={changed} onClose={() => setChanged(undefined)} />}
            {asked?.id && (
              <HistoryDialog
                endpoint={settingApi.history}
                id={asked.id}
                displayName={translate(asked.label)}
                onClose={() => setAsked(undefined)}
              />
            )}
          </>
        );
      }}
    </QueryBoundary>
  );
}

interface GroupProps {
  group: string;
  rows: readonly SettingRow[];
  onEdit: (row: SettingRow) => void;
  onReset: (row: SettingRow) => unknown;
  onHistory: (row: SettingRow) => void;
}

function Group({ group, rows, onEdit, onReset, onHistory }: GroupProps) {
  const { t } = useLingui();
  return (
    <ListRows
      className={styles.settings}
      caption={group}
      heads={[t`Setting`, t`Value`, t`Default`, t`Last change`]}
      rows={rows.map((row) => {
        const name = translate(row.label);
        return {
          key: row.key,
          attributes: rowOpen(() => onEdit(row)),
          cells: [
            <div key="name">
              <Button kind="link" className="list-name" data-row-name={row.key} onClick={() => onEdit(row)}>
                {name}
              </Button>
              <p className="soft">{translate(row.help)}</p>
              {row.held && (
                <p className="soft">
                  <Chip>
                    <Trans>Waits for approval</Trans>
                  </Chip>{' '}
                  {`${row.held.from} → ${row.held.to} · `}
                  <Trans>
                    asked by {row.held.askedBy} on {showDate(row.held.askedOn)}
                  </Trans>
                </p>
              )}
            </div>,
            <strong key="value">{translate(settingWords(row, row.value))}</strong>,
            translate(settingWords(row, row.default)),
            row.changedBy !== null && row.changedAt !== null && `${row.changedBy}, ${showMoment(row.changedAt)}`,
          ],
          actions: (
            <RowMenu name={name}>
              {(from) => (
                <>
                  <Menu.Item onClick={from(() => onEdit(row))}>
                    <Trans>Edit</Trans>
                  </Menu.Item>
                  {!isDefault(row) && (
                    <Menu.Item onClick={from(() => onReset(row))}>
                      <Trans>Use the default</Trans>
                    </Menu.Item>
                  )}
                  {row.id !== null && (
                    <Menu.Item onClick={from(() => onHistory(row))}>
                      <Trans>History</Trans>
                    </Menu.Item>
                  )}
                </>
              )}
            </RowMenu>
          ),
        };
      })}
    />
  );
}
