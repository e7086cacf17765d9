//! Errors of SharePoint REST: status, number, exception and sentence, as the service answers them.
//!
//! Every number here was recorded from the service or reported of it; clients tell errors apart by
//! it. Made all over `rest`, written once in `answer`.

use serde_json::json;

use crate::odata::flavour::Flavour;
use crate::request::Answer;
use crate::store::Refusal;

/// An error.
#[derive(Clone, Debug, PartialEq)]
pub struct RestError {
    pub status: u16,
    /// Number and exception, e.g. `-1, System.ArgumentException`.
    pub code: String,
    pub message: String,
}

/// What most of `rest` gives.
pub type Rest<T> = Result<T, RestError>;

/// The exception of everything that is wrong with a query or a body.
const QUERY: &str = "Microsoft.SharePoint.Client.InvalidClientQueryException";
/// The exception of everything that is wrong with data.
const DATA: &str = "Microsoft.SharePoint.SPException";

impl RestError {
    /// An error of that status, number and exception.
    #[must_use]
    pub fn new(status: u16, number: i64, exception: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: format!("{number}, {exception}"),
            message: message.into(),
        }
    }

    /// Something is wrong with a query or a body.
    #[must_use]
    pub fn query(message: impl Into<String>) -> Self {
        Self::new(400, -1, QUERY, message)
    }

    /// A filter that cannot be read.
    #[must_use]
    pub fn expression(text: &str) -> Self {
        Self::query(format!("The expression \"{text}\" is not valid."))
    }

    /// A name in a query that no column has.
    #[must_use]
    pub fn no_field(name: &str) -> Self {
        Self::query(format!("The field or property '{name}' does not exist."))
    }

    /// A column of people or look-ups that was asked for by its bare name, or not expanded.
    #[must_use]
    pub fn not_expanded(path: &str, field: &str) -> Self {
        Self::query(format!(
            "The query to field '{path}' is not valid. The $select query string must specify the target fields and the $expand query string must contains {field}."
        ))
    }

    /// There is no such list.
    #[must_use]
    pub fn no_list(title: &str, web: &str) -> Self {
        let message = format!("List '{title}' does not exist at site with URL '{web}'.");
        Self::new(404, -1, "System.ArgumentException", message)
    }

    /// There is no list with such an id.
    #[must_use]
    pub fn no_list_with_id() -> Self {
        Self::new(
            404,
            -2_130_575_322,
            DATA,
            "List does not exist.\n\nThe page you selected contains a list that does not exist.  It may have been deleted by another user.",
        )
    }

    /// There is no such item.
    #[must_use]
    pub fn no_item() -> Self {
        Self::new(
            404,
            -2_130_575_338,
            "System.ArgumentException",
            "Item does not exist. It may have been deleted by another user.",
        )
    }

    /// There is no such column.
    #[must_use]
    pub fn no_column(name: &str) -> Self {
        let message =
            format!("Column '{name}' does not exist. It may have been deleted by another user.  /");
        Self::new(400, -2_147_024_809, "System.ArgumentException", message)
    }

    /// There is no such user.
    #[must_use]
    pub fn no_user(name: &str) -> Self {
        let message = if name.is_empty() {
            "User cannot be found.".to_owned()
        } else {
            format!("The specified user {name} could not be found.")
        };
        Self::new(404, -2_146_232_832, DATA, message)
    }

    /// Nothing lies at that address.
    #[must_use]
    pub fn no_resource(name: &str) -> Self {
        Self::new(
            404,
            -1,
            "Microsoft.SharePoint.Client.ResourceNotFoundException",
            format!("Cannot find resource for the request {name}."),
        )
    }

    /// Something lies there, but not for that method.
    #[must_use]
    pub fn no_method(method: &str) -> Self {
        Self::new(
            405,
            -1,
            "Microsoft.SharePoint.Client.ClientServiceException",
            format!("The HTTP method '{method}' cannot be used to access the resource."),
        )
    }

    /// More rows than a query without an index may look at.
    #[must_use]
    pub fn threshold() -> Self {
        Self::new(
            500,
            -2_147_024_860,
            "Microsoft.SharePoint.SPQueryThrottledException",
            "The attempted operation is prohibited because it exceeds the list view threshold.",
        )
    }

    /// More look-ups than a query may join.
    #[must_use]
    pub fn lookups() -> Self {
        Self::new(
            500,
            -2_147_024_749,
            "Microsoft.SharePoint.SPQueryThrottledException",
            "The query cannot be completed because the number of lookup columns it contains exceeds the lookup column threshold.",
        )
    }

    /// The form digest is missing or has expired.
    #[must_use]
    pub fn digest() -> Self {
        Self::new(
            403,
            -2_130_575_251,
            DATA,
            "The security validation for this page is invalid and might be corrupted. Please use your web browser's Back button to try your operation again.",
        )
    }

    /// Whoever asks has not signed in, or is known no more.
    #[must_use]
    pub fn access_denied() -> Self {
        Self::new(
            403,
            -2_147_024_891,
            "System.UnauthorizedAccessException",
            "Access denied. You do not have permission to perform this action or access this resource.",
        )
    }

    /// Two writers met.
    #[must_use]
    pub fn save_conflict() -> Self {
        Self::new(
            409,
            -2_130_575_305,
            DATA,
            "Save Conflict.\n\nYour changes conflict with those made concurrently by another user. If you want your changes to be applied, click Back in your Web browser, refresh the page, and resubmit your changes.",
        )
    }

    /// The item is of another version.
    #[must_use]
    pub fn stale(given: &str, current: &str) -> Self {
        Self::new(
            412,
            -1,
            "Microsoft.SharePoint.Client.ClientServiceException",
            format!(
                "The request ETag value '{given}' does not match the object's ETag value '{current}'."
            ),
        )
    }

    /// A unique column holds that already.
    #[must_use]
    pub fn duplicate(field: &str) -> Self {
        Self::new(
            500,
            -2_130_575_169,
            "Microsoft.SharePoint.SPDuplicateValuesFoundException",
            format!(
                "The list item could not be added or updated because duplicate values were found in the following field(s) in the list: [{field}]."
            ),
        )
    }

    /// A property that the type does not have.
    #[must_use]
    pub fn no_property(name: &str, kind: &str) -> Self {
        Self::query(format!(
            "The property '{name}' does not exist on type '{kind}'. Make sure to only use property names that are defined by the type."
        ))
    }

    /// Why the store refused, for writers of that type.
    #[must_use]
    pub fn refused(refusal: &Refusal, kind: &str) -> Self {
        match refusal {
            Refusal::Empty(name) => Self::new(
                500,
                -2_147_024_809,
                "System.ArgumentException",
                format!("Parameter '{name}' cannot be null or empty."),
            ),
            Refusal::ListExists => Self::new(
                500,
                -2_130_575_342,
                DATA,
                "A list, survey, discussion board, or document library with the specified title already exists in this Web site.  Please choose another title.",
            ),
            Refusal::FieldExists(name) => Self::new(
                500,
                -2_130_575_307,
                "Microsoft.SharePoint.SPDuplicateFieldNameException",
                format!("A duplicate field name \"{name}\" was found."),
            ),
            Refusal::FieldStays(_) => {
                Self::new(400, -2_146_232_832, DATA, "The field cannot be deleted.")
            }
            Refusal::UnknownKind(kind) => Self::new(
                500,
                -2_130_575_340,
                DATA,
                format!(
                    "Field type {kind} is not installed properly. Go to the list settings page to delete this field."
                ),
            ),
            Refusal::CannotBeUnique(name) => Self::new(
                500,
                -2_130_575_167,
                DATA,
                format!("This field cannot be set to enforce unique values: {name}."),
            ),
            Refusal::Duplicate(name) => Self::duplicate(name),
            Refusal::UnknownProperty(name) => Self::no_property(name, kind),
            Refusal::WrongType { field, expected } if expected.starts_with("Collection") => {
                Self::query(format!(
                    "An unexpected node was found for property named '{field}' when reading from the JSON reader. A 'StartArray' node was expected."
                ))
            }
            Refusal::WrongType { expected, .. } => Self::query(format!(
                "Cannot convert a primitive value to the expected type '{expected}'. See the inner exception for more details."
            )),
            Refusal::Invalid { field, reason } if field.is_empty() => Self::new(
                500,
                -2_130_575_162,
                "Microsoft.SharePoint.SPListDataValidationException",
                reason.clone(),
            ),
            Refusal::Invalid { reason, .. } => Self::new(500, -2_130_575_155, DATA, reason.clone()),
            Refusal::UnknownPerson(_) => Self::new(
                500,
                -2_130_575_276,
                DATA,
                "The user does not exist or is not unique.",
            ),
            Refusal::Stale { given, current } => Self::stale(given, current),
        }
    }

    /// The answer, in the flavour that was asked for.
    #[must_use]
    pub fn answer(&self, flavour: Flavour) -> Answer {
        let error = json!({"code": self.code,
            "message": {"lang": "en-US", "value": self.message}});
        let body = match flavour {
            Flavour::Verbose => json!({"error": error}),
            Flavour::Minimal | Flavour::None => json!({"odata.error": error}),
        };
        Answer::json(self.status, flavour.media_type(), &body)
    }
}
