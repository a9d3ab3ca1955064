import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconBook2, IconEye, IconMail } from '@tabler/icons-react';
import type { Preview } from '#kit/browser/data/preview.tsx';
import { translate } from '#kit/browser/text.ts';
import { DoesCard } from '#kit/browser/ui/DoesCard.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showNumber } from '#kit/contract/text.ts';
import type { yearEndApi } from '../contract/year-end.ts';

interface Props {
  preview: Preview<typeof yearEndApi.close>;
  /** The year's name. */
  year: string;
}

/** Asks before a year is closed: what that does, and what is left open. */
export function AskClosing({ preview, year }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { kept = [], left = [] } = preview.shown?.answer ?? {};
  const lineOf = ({ title, open }: (typeof left)[number]) =>
    `${translate(title)}: ${open === null ? '–' : showNumber(open)}`;
  return (
    <PreviewDialog
      preview={preview}
      title={t`Close ${year}`}
      confirm={<Trans>Close {year}</Trans>}
      onApplied={() => toast({ kind: 'success', title: t`Closed.`, of: year })}
      details={
        kept.length > 0 ? (
          <>
            <p>
              <Trans>This keeps {year} open:</Trans>
            </p>
            <ul>
              {kept.map((line) => (
                <li key={line.key}>{lineOf(line)}</li>
              ))}
            </ul>
          </>
        ) : (
          <DoesCard
            lines={[
              {
                key: 'read',
                Icon: IconBook2,
                words: <Trans>Registers, sections, homework and results of {year} can then only be read.</Trans>,
              },
              ...(left.length > 0
                ? [
                    {
                      key: 'left',
                      Icon: IconEye,
                      words: (
                        <>
                          <Plural value={left.length} one="# line is left open:" other="# lines are left open:" />
                          <ul>
                            {left.map((line) => (
                              <li key={line.key}>{lineOf(line)}</li>
                            ))}
                          </ul>
                        </>
                      ),
                    },
                  ]
                : []),
              { key: 'told', Icon: IconMail, words: <Trans>The other Admins get an email.</Trans> },
            ]}
            foot={<Trans>An Admin can reopen it, with a reason.</Trans>}
          />
        )
      }
    />
  );
}
