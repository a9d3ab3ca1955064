import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { showDate } from '#kit/contract/day.ts';
import { studentList } from '../contract/list.ts';
import { mergeApi } from '../contract/merge.ts';

interface Props {
  id: number;
  choose: (id: number) => void;
}

/** Finds the other record of a child: those that are alike, and any other by name or GR number. */
export function FindOther({ id, choose }: Props) {
  const { t } = useLingui();
  const [search, setSearch] = useState('');
  const asked = useLater(search.trim());
  return (
    <Stack gap={12}>
      <Doubts id={id} choose={choose} />
      <label htmlFor="other-record">
        <Trans>Or find the other record by name or GR number</Trans>
      </label>
      <input
        id="other-record"
        className="box"
        type="search"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {asked !== '' && <Found search={asked} id={id} choose={choose} caption={t`Students found`} />}
    </Stack>
  );
}

function Found({ search, id, choose, caption }: Props & { search: string; caption: string }) {
  const { t } = useLingui();
  const found = useRead(studentList.api.list, { tab: 'all', search } as never);
  return (
    <QueryBoundary query={found}>
      {({ rows }) => (
        <CardTable
          caption={caption}
          heads={[t`Name`, t`GR`, t`Section`]}
          rows={rows
            .filter((row) => row.id !== id)
            .slice(0, 5)
            .map((row) => ({
              key: row.id,
              cells: [row.name, row.grNo, row.section],
              actions: (
                <Button kind="quiet" onClick={() => choose(row.id)}>
                  <Trans>Compare</Trans>
                </Button>
              ),
            }))}
        />
      )}
    </QueryBoundary>
  );
}

/** The other students who may be this child: compare the two, or say that they are two children. */
export function Doubts({ id, choose }: { id: number; choose?: (id: number) => void }) {
  const { t } = useLingui();
  const doubts = useRead(mergeApi.doubts, { id });
  const notSame = useAction(mergeApi.notSame);
  return (
    <QueryBoundary query={doubts}>
      {({ students }) =>
        students.length === 0 ? (
          <p className="soft">
            <Trans>No similar student was found.</Trans>
          </p>
        ) : (
          <>
            <CardTable
              caption={t`May be the same child`}
              heads={[t`Name`, t`GR`, t`Class`, t`Birth date`, t`Called first`]}
              rows={students.map((student) => ({
                key: student.id,
                cells: [
                  student.name,
                  student.grNo,
                  student.leftOn ? t`left on ${showDate(student.leftOn)}` : student.place,
                  showDate(student.birthDate),
                  student.adult,
                ],
                actions: (
                  <>
                    {choose && (
                      <Button kind="quiet" onClick={() => choose(student.id)}>
                        <Trans>Merge…</Trans>
                      </Button>
                    )}
                    <Button kind="quiet" onClick={() => void notSame.run({ id, otherId: student.id })}>
                      <Trans>Not the same child</Trans>
                    </Button>
                  </>
                ),
              }))}
            />
            {notSame.problem}
          </>
        )
      }
    </QueryBoundary>
  );
}
