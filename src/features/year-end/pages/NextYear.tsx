import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { type RollRule, rollRules, sectionStudentApi } from '#features/student/contract/section-student.ts';
import { NumberSections } from '#features/student/ui/NumberSections.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { yearEndApi } from '../contract/year-end.ts';
import { Line } from './Line.tsx';

/** What the next year has and lacks, each with its page, and the roll numbers of all its sections. */
export function NextYear({ found: { lines, next } }: { found: OutputOf<typeof yearEndApi.read> }) {
  const { t } = useLingui();
  const mayNumber = useMay(sectionStudentApi.numberAll);
  const [rule, setRule] = useState<RollRule | ''>('');
  const own = lines.filter(({ isOfNext }) => isOfNext);
  return (
    <>
      <section aria-label={t`Parts of the next year`}>
        <Row as="header" gap={8} align="baseline" wrap line="below" mt={16} py={6}>
          <Text as="h2" size={16} weight={600}>
            {next ? next.name : t`Next year`}
          </Text>
        </Row>
        {own.length === 0 ? (
          <EmptyState message={<Trans>Nothing to prepare for you.</Trans>} />
        ) : (
          <List>
            {own.map((line) => (
              <Line key={line.key} line={line} />
            ))}
          </List>
        )}
      </section>
      {next && mayNumber && (
        <section aria-label={t`Roll numbers`}>
          <Row as="header" gap={8} align="baseline" wrap line="below" mt={16} py={6}>
            <Text as="h2" size={16} weight={600}>
              <Trans>Roll numbers</Trans>
            </Text>
            <Text as="span" tone="soft" size={13}>
              <Trans>of all sections that are not locked</Trans>
            </Text>
          </Row>
          <Filters>
            <FilterChoice label={t`Order`} value={rule} onChange={(chosen) => setRule(chosen as RollRule | '')}>
              <option value="">{t`As in the settings`}</option>
              {rollRules.map((one) => (
                <option key={one} value={one}>
                  {translateOption(one)}
                </option>
              ))}
            </FilterChoice>
            <NumberSections year={next} rule={rule} />
          </Filters>
        </section>
      )}
    </>
  );
}
