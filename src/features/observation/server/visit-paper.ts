import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Paper, sheet } from '#kit/server/paper/paper.ts';
import { audit } from '#kit/server/security/audit.ts';
import { showScore } from '../contract/score.ts';
import { sharedStates, type visitApi, visitMessages } from '../contract/visit.ts';
import { readVersions } from './version.ts';
import { readRatings, readVisitNames } from './visit-parts.ts';
import { requireVisit } from './visit-visible.ts';

/** The shared report of a visit, for the files of its readers. */
export const paper: Handler<typeof visitApi.paper> = async (ctx, { id }) => {
  const visit = await requireVisit(ctx, id);
  if (!sharedStates.includes(visit.state)) throw new AppError('conflict', visitMessages.notShared);
  const names = await readVisitNames(ctx, id);
  const rubric = (await readVersions(ctx, [visit.rubric_version_id])).get(visit.rubric_version_id);
  const ratings = new Map((await readRatings(ctx, id)).map((rating) => [rating.indicatorId, rating]));
  const levels = new Map(rubric?.levels.map((level) => [level.id, level.label]));
  const day = (moment: Date | null) => (moment === null ? '' : showDate(toLocalDate(moment)));
  const facts: (readonly [Text, string])[] = [
    [text`Teacher`, visit.teacher ?? ''],
    [text`Observer`, names.observer],
    [text`Type`, names.type],
    [text`Date`, day(visit.scheduled_at)],
    [text`Section`, names.section],
    [text`Topic of the lesson`, visit.topic],
    [text`Score`, showScore(visit.score)],
    [text`Shared`, day(visit.shared_at)],
    [text`Acknowledged`, day(visit.acknowledged_at)],
  ];
  const words: (readonly [Text, string])[] = [
    [text`Strengths`, visit.strengths],
    [text`What could be better`, visit.improvements],
    [text`Plan`, visit.plan],
    [text`Comment of the teacher`, visit.comment],
  ];
  const data: Paper = {
    head: await ctx.readPaperHead(ctx),
    title: text`Report of a visit`,
    facts: facts.filter(([, value]) => value !== ''),
    sections: [{ title: text`Report`, groups: [{ facts: words.filter(([, value]) => value !== '') }] }],
    table: {
      heads: [text`Domain`, text`Indicator`, text`Level`, text`Comment`],
      rows: (rubric?.domains ?? []).flatMap((domain) =>
        domain.indicators.flatMap((indicator) => {
          const rating = ratings.get(indicator.id);
          return rating ? [[domain.name, indicator.text, levels.get(rating.levelId) ?? '', rating.comment]] : [];
        }),
      ),
    },
    made: text`Made on ${{ day: showDate(toLocalDate(ctx.now())) }} by ${{ by: ctx.user.name }}`,
    signatures: [{ who: text`Observer` }, { who: text`Teacher` }],
  };
  await audit(ctx, { action: 'visit.printed', entity: 'observation_visit', entityId: id, version: visit.version });
  const bytes = await ctx.makePaper(sheet, data, ctx.caller);
  return { mediaType: 'application/pdf', name: `visit-${id}.pdf`, bytes };
};
