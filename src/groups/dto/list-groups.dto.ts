import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { ListQueryDto } from '../../records/list-query.dto';
import { IsId } from '../../server/query-value.decorators';

export class ListGroupsDto extends ListQueryDto {
  @ApiPropertyOptional({ description: 'Only groups of the workspace with this id.' })
  @IsId()
  workspace?: string;
}
