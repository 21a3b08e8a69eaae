import { Body, Query } from '@nestjs/common';
import { namesOf, ObjectPipe, queryPipe, type ShapeClass, ShapePipe } from './shape.pipe';

const OBJECT = new ObjectPipe();
const SHAPE = new ShapePipe();

/** The metadata keys, on a handler, of the classes of its body and its query. */
const [BODY, QUERY] = [Symbol('body'), Symbol('query')];

/**
 * Pass the body, or the query parameters, to a handler in the shape of the parameter's class, or refuse the request. Do
 * not use Nest's own decorators, which pass on whatever was sent. The pipe is attached here instead of globally,
 * because most parameters of handlers do not come from callers, and each would pass through it.
 *
 * @example
 * manageStatus(@ValidatedBody() body: ManageStatusDto): Promise<void> { ... }
 */
export const ValidatedBody = () => declaring(BODY, Body(SHAPE));
/** As {@link ValidatedBody}, for a body that must be an object. */
export const ValidatedObject = () => declaring(BODY, Body(OBJECT, SHAPE));
export const ValidatedQuery = () => declaring(QUERY, Query(queryPipe));

/** The names of the query parameters that a route has. */
export function knownParameters(handler: object): ReadonlySet<string> {
  return namesOf(Reflect.getMetadata(QUERY, handler) as ShapeClass | undefined);
}

/** The names of the fields that the body of a route can have, those that it refuses to change included. */
export function knownFields(handler: object): ReadonlySet<string> {
  return namesOf(Reflect.getMetadata(BODY, handler) as ShapeClass | undefined);
}

/** Keeps the class of the parameter on the handler. */
function declaring(key: symbol, decorate: ParameterDecorator): ParameterDecorator {
  return (controller, method = '', index) => {
    const types = Reflect.getMetadata('design:paramtypes', controller, method) as ShapeClass[];
    Reflect.defineMetadata(key, types[index], Reflect.get(controller, method) as object);
    decorate(controller, method, index);
  };
}
