import { type Handler, routes } from '#kit/server/http/routes.ts';
import { boardApi } from '../contract/board.ts';

const list: Handler<typeof boardApi.list> = ({ db }) =>
  db.selectFrom('academic_board').select(['id as boardID', 'name as board']).orderBy('id').execute();

export default routes(boardApi, { list });
